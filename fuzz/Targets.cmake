# Every fuzz target: fuzz/<name>.cpp and fuzz/corpus/<name>/.
set(fuzz_targets audit audit_report checkpoint cifar config csv escape font group_name idx manifest mesh_obj mesh_off mesh_ply metric_line npy npz page_text psb_labels representation_text result safetensors sweep tar tensor_pickle torch_tensor)
