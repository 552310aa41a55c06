# Every fuzz target: fuzz/<name>.cpp and fuzz/corpus/<name>/.
set(fuzz_targets cifar config csv escape font group_name idx npy npz result safetensors tar tensor_pickle torch_tensor)
