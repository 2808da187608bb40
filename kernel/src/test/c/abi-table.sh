#!/bin/sh
# Writes the table of the kernel's RDMA structs to standard output, made from the headers that the C compiler finds.
# What the headers lack is named in lines "missing,...". Arguments go to the compiler, such as -I DIRECTORY.
# To renew the table: kernel/src/test/c/abi-table.sh > kernel/src/test/resources/abi-table.csv
set -eu
LC_ALL=C
export LC_ALL
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
compiler=${CC:-cc}

# A header that lacks something makes the compiler complain about the line that names it.
"$compiler" -fsyntax-only -w "$@" -DFIELDS='"abi-fields.h"' "$here/abi-table.c" 2> "$work/errors" || true
sed -n 's/^.*abi-fields\.h:\([0-9][0-9]*\):.*$/\1/p' "$work/errors" | sort -un > "$work/lacking"
awk 'NR == FNR { lacking[$1]; next } !(FNR in lacking)' "$work/lacking" "$here/abi-fields.h" > "$work/present.h"
awk 'NR == FNR { lacking[$1]; next } FNR in lacking' "$work/lacking" "$here/abi-fields.h" > "$work/missing.h"

"$compiler" -w "$@" -DFIELDS="\"$work/present.h\"" -o "$work/table" "$here/abi-table.c"
package=$(dpkg-query -W -f '${Package} ${Version}' linux-libc-dev 2> /dev/null || rpm -q kernel-headers 2> /dev/null || echo "headers of unknown version")
echo "# $package, $(uname -m)"
"$work/table"
sed -n -e 's/^STRUCT(\(.*\))$/missing,struct,\1/p' -e 's/^FIELD(\(.*\), \(.*\))$/missing,field,\1,\2/p' \
  -e 's/^CONSTANT(\(.*\))$/missing,constant,\1/p' "$work/missing.h"
