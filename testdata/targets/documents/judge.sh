#!/usr/bin/env bash
# judge.sh CONFORMANCE DIRECTORY [SERVER...] starts every server of servers.txt, runs
# the given conformance binary with the server's own document and prints a row of a
# Markdown table for each. DIRECTORY has the documents of testdata/corpus; the
# reports go into DIRECTORY/reports, with what curl makes of each failure. FLAGS adds
# flags to the run.
# Exit codes: 0 every server was judged, 1 one was not, 2 wrong command line.
set -u
here=$(cd "$(dirname "$0")" && pwd)
list=$here/servers.txt
. "$here/../common.sh"
cache=$cache/documents

[ $# -ge 2 ] && [ -x "$1" ] && [ -d "$2" ] || {
	echo "usage: judge.sh CONFORMANCE DIRECTORY [SERVER...]" >&2
	exit 2
}
suite=$1 dir=$(realpath "$2")
choose "${@:3}"
mkdir -p "$dir/reports"
# Prism takes every credential that is well-formed, a user and a password too.
export CONFORMANCE_TOKEN=${CONFORMANCE_TOKEN:-user:password}
port=18300 status=0

# row prints what a report says: operations tried, verdict, failures.
row() {
	python3 - "$1" <<-'PY'
		import json, sys
		r = json.load(open(sys.argv[1]))
		tried = {x["requirement"] for x in r["results"] if x["requirement"].endswith("-answered") and x.get("cases", 0)}
		fails = lambda level: ", ".join(x["requirement"] for x in r["results"] if x["verdict"] == "fail" and x["level"] == level) or "-"
		print(len(tried), "|", fails("MUST"), "|", fails("SHOULD"), "|")
	PY
}

echo '| server | verdict | requests | tried | failed MUST | failed SHOULD |'
echo '|---|---|---:|---:|---|---|'
for server in "${chosen[@]}"; do
	port=$((port + 1)) base=http://127.0.0.1:$port
	report=$dir/reports/$server.json document=$dir/reports/$server.document
	setsid "$here/start.sh" "$server" $port "$dir" >/dev/null 2>&1 &
	pid=$!
	path=$(column "$server" 4)
	case $path in
	corpus:*) cp "$dir/${path#corpus:}" "$document" ;;
	*) curl --silent --fail --retry 120 --retry-delay 1 --retry-connrefused -o "$document" "$base$path" ;;
	esac
	rm -f "$report"
	# The prefix of the server's URL belongs to the target.
	base=$base$(python3 - "$document" "$path" <<-'PY'
		import re, sys
		text = open(sys.argv[1]).read()
		m = re.search(r'(?m)^basePath: *"?(/\S*?)"?$', text)
		print(m.group(1).rstrip("/") if m and sys.argv[2].startswith("corpus:") else "")
	PY
	)
	# shellcheck disable=SC2086
	"$suite" run --target "$base" --spec "$document" --wait 30s --no-color --report json="$report" ${FLAGS:-} \
		>"$dir/reports/$server.txt" 2>&1
	case $? in
	0) verdict=conformant ;;
	1) verdict='not conformant' ;;
	3) verdict=incomplete ;;
	*) verdict='not judged' ;;
	esac
	if [ -s "$report" ]; then
		echo "| $server | $verdict | $(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["summary"]["exchanges"])' "$report") | $(row "$report")"
	else
		echo "| $server | $verdict: $(tail -1 "$dir/reports/$server.txt" | cut -c1-200) | | | | |"
		status=1
	fi
	[ ! -s "$report" ] || python3 "$here/confirm.py" "$report" "http://127.0.0.1:$port" >"$dir/reports/$server.md"
	kill -- -$pid 2>/dev/null
	wait $pid 2>/dev/null
done
exit $status
