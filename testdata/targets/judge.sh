#!/usr/bin/env bash
# judge.sh CONFORMANCE [STACK...] starts every stack, as its tutorial says and
# made careful, runs the given conformance binary against it and prints a row of
# a Markdown table for each: stack, kind, verdict, failed MUSTs and SHOULDs.
# FLAGS adds flags to the run. With REPORTS=FOLDER, the JSON report of each run is
# kept there as STACK-KIND.json. Stacks that are not installed are named as such.
# Exit codes: 0 every careful stack is conformant, 1 one is not, 2 wrong command
# line.
set -u
here=$(cd "$(dirname "$0")" && pwd)
list=$here/stacks.txt
. "$here/common.sh"

arguments judge.sh "$@"
token=tok-S3cret_42.x port=18100 status=0
report=$(mktemp)
trap 'rm -f "$report"' EXIT

# failed LEVEL lists the requirements of a level that failed.
failed() {
	python3 - "$report" "$1" <<-'PY'
		import json, sys
		r = json.load(open(sys.argv[1]))
		ids = [x["requirement"] for x in r["results"] if x["verdict"] == "fail" and x["level"] == sys.argv[2]]
		print(", ".join(ids) or "-")
	PY
}

echo '| stack | kind | verdict | failed MUST | failed SHOULD |'
echo '|---|---|---|---|---|'
for stack in "${chosen[@]}"; do
	for kind in tutorial careful; do
		port=$((port + 1))
		setsid "$here/start.sh" "$stack" $kind $port $token >/dev/null 2>&1 &
		server=$!
		# shellcheck disable=SC2086
		CONFORMANCE_TOKEN=$token "$suite" run --target http://127.0.0.1:$port --wait 20s --no-color \
			--report json="$report" ${FLAGS:-} >/dev/null 2>&1
		case $? in
		0) verdict=conformant ;;
		1) verdict='not conformant' ;;
		*) verdict='not judged' ;;
		esac
		if kill -0 $server 2>/dev/null; then
			echo "| $stack | $kind | $verdict | $(failed MUST) | $(failed SHOULD) |"
			[ -z "${REPORTS:-}" ] || cp "$report" "$REPORTS/$stack-$kind.json" || status=1
			[ $kind = tutorial ] || [ "$verdict" = conformant ] || status=1
		else
			wait $server
			case $? in
			77) echo "| $stack | $kind | skipped: a toolchain is missing | | |" ;;
			78) echo "| $stack | $kind | skipped: not installed, see install.sh | | |" ;;
			*) echo "| $stack | $kind | the server ended | | |"; status=1 ;;
			esac
		fi
		kill -- -$server 2>/dev/null
		wait $server 2>/dev/null
	done
done
exit $status
