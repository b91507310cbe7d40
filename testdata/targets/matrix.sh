#!/usr/bin/env bash
# matrix.sh CONFORMANCE [STACK...] judges the stacks as judge.sh does, and compares them
# side by side in matrix.json and MATRIX.md of this folder. A release also has the matrix
# as a page (page/main.go).
# Exit codes: those of judge.sh, and 3 if there is no report.
set -u
here=$(cd "$(dirname "$0")" && pwd)
list=$here/stacks.txt
. "$here/common.sh"

arguments matrix.sh "$@"
REPORTS=$(mktemp -d)
export REPORTS
trap 'rm -rf "$REPORTS"' EXIT

"$here/judge.sh" "$suite" "${chosen[@]}"
status=$?

files=()
for stack in "${chosen[@]}"; do
	for kind in tutorial careful; do
		[ ! -e "$REPORTS/$stack-$kind.json" ] || files+=("$stack-$kind=$REPORTS/$stack-$kind.json")
	done
done
[ ${#files[@]} -gt 0 ] || {
	echo "no stack was judged; see install.sh" >&2
	exit 3
}
"$suite" matrix "${files[@]}" --report json="$here/matrix.json" --report markdown="$here/MATRIX.md" --no-color || exit 1
chmod 644 "$here/matrix.json" "$here/MATRIX.md"
exit $status
