"""Writes latest.h5: data as h5py writes them with libver="latest", in chunks of every index that HDF5 1.10 has."""
import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t

HEADER = {"format": "distillation", "format_version": 1, "ensemble": "latest", "configuration": 1,
          "spatial_extent": 4, "temporal_extent": 2, "num_eigenvectors": 1,
          "gamma_basis": "DeGrand-Rossi", "temporal_boundary": "antiperiodic"}

with h5py.File("latest.h5", "w", libver="latest") as file:
    for name, value in HEADER.items():
        file.attrs[name] = value
    numbers = 1 + np.arange(128).reshape(2, 2, 4, 4, 1, 1, 2)
    file.create_dataset("perambulators/light", data=numbers[..., 0] + 1j * numbers[..., 1],
                        chunks=(1, 1, 4, 4, 1, 1), shuffle=True, compression=4)
    file["elementals/meson/none/0_0_0"] = np.array([1 + 2j, 3 + 4j]).reshape(2, 1, 1)

    many = file.create_group("many")
    wide = np.arange(64)
    many.create_dataset("single", data=wide, chunks=(64,))
    many.create_dataset("single_filtered", data=wide, chunks=(64,), compression=4)
    many.create_dataset("fixed", data=wide, chunks=(4,))
    many.create_dataset("fixed_filtered", data=wide, chunks=(4,), fletcher32=True)
    many.create_dataset("extensible", data=wide, chunks=(1,), maxshape=(None,))
    many.create_dataset("extensible_filtered", data=wide, chunks=(4,), maxshape=(None,), fletcher32=True)
    many.create_dataset("tree", data=wide.reshape(8, 8), chunks=(1, 4), maxshape=(None, None))
    many.create_dataset("tree_filtered", data=wide.reshape(8, 8), chunks=(1, 4), maxshape=(None, None), compression=1)
    early = h5p.create(h5p.DATASET_CREATE)
    early.set_chunk((4,))
    early.set_alloc_time(h5d.ALLOC_TIME_EARLY)
    h5d.create(many.id, b"implicit", h5t.NATIVE_INT64, h5s.create_simple((64,)), early).write(
        h5s.ALL, h5s.ALL, wide)
