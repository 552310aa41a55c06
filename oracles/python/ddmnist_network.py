#!/usr/bin/python3
"""The double-digit network and its training step in python3-torch: an oracle for the C++ one.

    ddmnist_network.py fixture FILE     write weights, a batch and the answers (tests/data/ddmnist_network.safetensors)
    ddmnist_network.py answer IN OUT    read weights and a batch, write the answers

A file holds "model/<parameter>" for each parameter and buffer, the batch "x", "gx", "y", "g", and as answers
"output" and "latent" of x in training mode, "evaluated" of x in evaluation mode after one training pass over x and
one over gx (so that the running averages count), both before any step, and "losses", the total loss of each of
ten Adam steps with the regular representation of D4xD4 (weight 1, learning rate 5e-4).
"""
import json
import struct
import sys

import torch
from torch import nn

DTYPES = {"F32": torch.float32, "I64": torch.int64}
NAMES = {value: key for key, value in DTYPES.items()}


def read_safetensors(path):
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    body = content[8 + length :]
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        raw = bytearray(body[begin:end])
        tensors[name] = torch.frombuffer(raw, dtype=DTYPES[entry["dtype"]]).reshape(entry["shape"]).clone()
    return tensors


def write_safetensors(path, tensors, metadata):
    header, body = {"__metadata__": metadata}, b""
    for name in sorted(tensors):
        tensor = tensors[name].detach().contiguous()
        raw = tensor.numpy().tobytes()
        header[name] = {
            "dtype": NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [len(body), len(body) + len(raw)],
        }
        body += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + body)


class Block(nn.Module):
    def __init__(self, inputs, outputs, kernel, stride, padding, pool=None):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride=stride, padding=padding)
        self.bn = nn.BatchNorm2d(outputs)
        self.pool = nn.AvgPool2d(pool[0], stride=pool[1], padding=pool[2]) if pool else nn.Identity()

    def forward(self, x):
        return self.pool(nn.functional.elu(self.bn(self.conv(x))))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(
            [
                Block(1, 6, 7, 1, 2),
                Block(6, 12, 5, 1, 2, (5, 2, 1)),
                Block(12, 24, 3, 2, 2, (5, 2, 1)),
                Block(24, 36, 3, 2, 0),
                Block(36, 36, 3, 1, 1, (5, 1, 1)),
            ]
        )
        self.latent = nn.Conv2d(36, 66, 1)
        self.norm = nn.BatchNorm1d(66)
        self.head = nn.Linear(66, 100)

    def forward(self, x):
        x = nn.functional.interpolate(x, size=(57, 57), mode="nearest")
        for block in self.blocks:
            x = block(x)
        z = self.latent(x).flatten(1)
        return self.head(nn.functional.elu(self.norm(z))), z


def multiply_d4(a, b):
    """r^k s^f has index 4f + k; r^k1 s^f1 r^k2 s^f2 = r^(k1 + (-1)^f1 k2) s^(f1 + f2)."""
    f1, k1, f2, k2 = a // 4, a % 4, b // 4, b % 4
    return 4 * ((f1 + f2) % 2) + (k1 + (-1) ** f1 * k2) % 4


def regular_d4():
    matrices = torch.zeros(8, 8, 8)
    for g in range(8):
        for h in range(8):
            matrices[g, multiply_d4(g, h), h] = 1
    return matrices


def regular_pairs(g):
    """rho(g) for elements of D4xD4 in 66 coordinates: Kronecker products and two fixed ones."""
    single = regular_d4()
    result = torch.eye(66).repeat(len(g), 1, 1)
    for n, element in enumerate(g.tolist()):
        result[n, :64, :64] = torch.kron(single[element // 8], single[element % 8])
    return result


def answer(tensors):
    torch.set_num_threads(1)
    model = Network()
    model.load_state_dict({k[6:]: v for k, v in tensors.items() if k.startswith("model/")})
    assert sum(p.numel() for p in model.parameters()) == 33742
    rho = regular_pairs(tensors["g"])
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-4)
    losses = []
    for step in range(10):
        model.train()
        output, z = model(tensors["x"])
        shifted, zg = model(tensors["gx"])
        if step == 0:
            model.eval()
            answers = {"output": output, "latent": z, "evaluated": model(tensors["x"])[0]}
        task = nn.functional.cross_entropy(output, tensors["y"])
        task_shifted = nn.functional.cross_entropy(shifted, tensors["y"])
        moved = torch.bmm(rho, z.unsqueeze(2)).squeeze(2)
        loss = 0.5 * task + 0.5 * task_shifted + nn.functional.mse_loss(zg, moved)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return {**answers, "losses": torch.tensor(losses)}


def example():
    torch.manual_seed(1)
    tensors = {"model/" + name: value.clone() for name, value in Network().state_dict().items()}
    tensors["x"] = torch.randn(12, 1, 56, 56)
    tensors["gx"] = torch.randn(12, 1, 56, 56)
    tensors["y"] = torch.randint(0, 100, (12,))
    tensors["g"] = torch.randint(0, 64, (12,))
    return tensors


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "fixture":
        tensors, path = example(), arguments[1]
    elif len(arguments) == 3 and arguments[0] == "answer":
        tensors, path = read_safetensors(arguments[1]), arguments[2]
    else:
        sys.exit(__doc__)
    write_safetensors(path, {**tensors, **answer(tensors)}, {"script": "oracles/python/ddmnist_network.py"})


if __name__ == "__main__":
    main(sys.argv[1:])
