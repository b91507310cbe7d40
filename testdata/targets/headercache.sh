#!/usr/bin/env bash
# headercache.sh CONFORMANCE runs the careful Javalin server with three settings of
# Jetty's cache of header fields, and prints a row of a Markdown table for each:
# setting, verdict, cause. Install it with install.sh javalin first.
# Exit codes: 0 only the default setting fails, 1 otherwise, 2 wrong command line.
set -u
here=$(cd "$(dirname "$0")" && pwd)

[ $# -eq 1 ] && [ -x "$1" ] || {
	echo "usage: headercache.sh CONFORMANCE" >&2
	exit 2
}
suite=$1 token=tok-S3cret_42.x port=18140 status=0
report=$(mktemp)
trap 'rm -f "$report"' EXIT

echo '| setting | verdict | failed MUST | cause |'
echo '|---|---|---|---|'
for cache in default case-sensitive none; do
	port=$((port + 1))
	HEADER_CACHE=$cache setsid "$here/start.sh" javalin careful $port $token >/dev/null 2>&1 &
	server=$!
	CONFORMANCE_TOKEN=$token "$suite" run --target http://127.0.0.1:$port --wait 20s --no-color \
		--report json="$report" >/dev/null 2>&1
	python3 - "$report" "$cache" <<-'PY' || status=1
		import json, sys
		r = json.load(open(sys.argv[1]))
		failed = [x for x in r["results"] if x["verdict"] == "fail" and x["level"] == "MUST"]
		causes = [f.get("cause", "-") for x in failed for f in x["failures"]]
		ids = ", ".join(x["requirement"] for x in failed) or "-"
		print(f'| {sys.argv[2]} | {r["summary"]["verdict"]} | {ids} | {"; ".join(causes) or "-"} |')
		sys.exit(bool(failed) != (sys.argv[2] == "default"))
	PY
	kill -- -$server 2>/dev/null
	wait $server 2>/dev/null
done
exit $status
