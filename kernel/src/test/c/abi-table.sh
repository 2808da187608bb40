#!/bin/sh
# Writes the table of the kernel's RDMA structs to standard output, made from the headers that the C compiler finds.
# What the headers lack is named in lines "missing,...". Arguments go to the compiler, such as -I DIRECTORY.
# To renew the tables: kernel/src/test/c/abi-table.sh > kernel/src/test/resources/abi-table.csv
#                      ABI=mlx5 kernel/src/test/c/abi-table.sh > kernel/src/test/resources/abi-mlx5-table.csv
set -eu
LC_ALL=C
export LC_ALL
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
compiler=${CC:-cc}
package() {
  dpkg-query -W -f '${Package} ${Version}' "$1" 2> /dev/null || rpm -q "$2" 2> /dev/null || echo "headers of unknown version"
}
fields=abi-fields.h
source=$(package linux-libc-dev kernel-headers)
if [ "${ABI:-}" = mlx5 ]; then
  fields=abi-mlx5-fields.h
  source="$source, $(package libibverbs-dev:$(dpkg --print-architecture 2> /dev/null) rdma-core-devel)"
  set -- -DMLX5 "$@"
fi

# A header that lacks something makes the compiler complain about the line that names it.
"$compiler" -fsyntax-only -w "$@" -DFIELDS="\"$fields\"" "$here/abi-table.c" 2> "$work/errors" || true
sed -n 's/^.*abi-[a-z0-9-]*fields\.h:\([0-9][0-9]*\):.*$/\1/p' "$work/errors" | sort -un > "$work/lacking"
awk 'FILENAME == ARGV[1] { lacking[$1]; next } !(FNR in lacking)' "$work/lacking" "$here/$fields" > "$work/present.h"
awk 'FILENAME == ARGV[1] { lacking[$1]; next } FNR in lacking' "$work/lacking" "$here/$fields" > "$work/missing.h"

"$compiler" -w "$@" -DFIELDS="\"$work/present.h\"" -o "$work/table" "$here/abi-table.c"
echo "# $source, $(uname -m)"
"$work/table"
sed -n -e 's/^STRUCT(\(.*\))$/missing,struct,\1/p' -e 's/^FIELD(\(.*\), \(.*\))$/missing,field,\1,\2/p' \
  -e 's/^CONSTANT(\(.*\))$/missing,constant,\1/p' "$work/missing.h"
