#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every type, shape and layout of wmma through bankshot cc. (With nvcc this program takes most of a minute to compile; it passed.)
set -u
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
sh "$here/run_one.sh" cc "$1" "$tmp" "$here/wmma_all.cu"
