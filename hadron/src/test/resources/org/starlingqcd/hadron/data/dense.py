"""Writes dense.h5: a root with more attributes, and a group with more links, than an object header keeps."""
import h5py
import numpy as np

HEADER = {"format": "distillation", "format_version": 1, "ensemble": "dense", "configuration": 1,
          "spatial_extent": 4, "temporal_extent": 2, "num_eigenvectors": 1,
          "gamma_basis": "DeGrand-Rossi", "temporal_boundary": "antiperiodic"}

with h5py.File("dense.h5", "w", libver=("v108", "v108")) as file:
    for name, value in HEADER.items():
        file.attrs[name] = value
    file.attrs["large"] = np.arange(600)
    group = file.create_group("many")
    for k in range(9):
        group.create_dataset(f"plain{k}", data=np.arange(2) + k)
    group.create_dataset("chunked", data=np.ones((4, 4), dtype=int), chunks=(2, 2), fletcher32=True)
    group["soft"] = h5py.SoftLink("/many/plain1")
