#!/usr/bin/env bash
# Writes starling_kernels.ptx, which the program ships, from starling_kernels.h; run it after a change
# of the source, where nvcc is installed. The text asks for PTX 6.3 and compute capability 6.0, so that
# every driver from CUDA 10 on and every GPU from Pascal on takes it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../../../../gpu/src/main/resources/org/starlingqcd/backend/gpu/kernel/starling_kernels.h
target=$here/../resources/org/starlingqcd/backend/cuda/starling_kernels.ptx
folder=$(mktemp -d); trap 'rm -r "$folder"' EXIT
cp "$source" "$folder/kernels.cu"
nvcc -std=c++14 -O3 --fmad=false -arch=compute_75 -ptx -o "$folder/kernels.ptx" "$folder/kernels.cu"
mkdir -p "$(dirname "$target")"
{
  echo "// From starling_kernels.h by make_ptx.sh; SHA-256 of the source: $(sha256sum "$source" | cut -d' ' -f1)"
  grep -v '^//' "$folder/kernels.ptx" | sed 's/^\.version .*/.version 6.3/; s/^\.target .*/.target sm_60/'
} > "$target"
for architecture in sm_75 sm_90; do ptxas -arch=$architecture -o "$folder/kernels.cubin" "$target"; done
