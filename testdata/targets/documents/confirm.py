"""confirm.py REPORT BASE sends the example of each failed MUST of a report again, with
curl, and prints Markdown: what the suite got, what curl got if that differs, and the
command. A failure that takes several requests has a script of curl and jq.
"""
import json
import re
import subprocess
import sys

report, base = json.load(open(sys.argv[1])), sys.argv[2]
sent = same = 0
lines = []
for result in report["results"]:
    if result["level"] != "MUST" or not result.get("failures"):
        continue
    failure = result["failures"][0]
    script, got = failure.get("curl"), failure["got"]
    if not script:
        lines.append(f"- {result['requirement']}: {got}. Curl cannot send it.")
        continue
    sent += 1
    try:
        run = subprocess.run(["bash", "-c", script], capture_output=True, timeout=20)
        found = re.findall(rb"^HTTP/1\.[01] (\d{3})", run.stdout, re.M)
        came = found[-1].decode() if found else "no answer"
    except subprocess.TimeoutExpired:
        came = "no answer"
    status = re.search(r"\b[1-5]\d\d\b", got)
    alike = came == (status.group() if status else "no answer")
    same += alike
    other = "" if alike else f" Curl got {came}."
    text = script.replace(base, "$URL")
    if "\n" in text:
        lines.append(f"- {result['requirement']}: {got}.{other}\n\n  ```sh\n" + "".join(f"  {l}\n" for l in text.splitlines()) + "  ```")
    else:
        lines.append(f"- {result['requirement']}: {got}.{other} `{text}`")
if lines:
    print(f"Curl got the same status for {same} of {sent}.\n")
    print("\n".join(lines))
