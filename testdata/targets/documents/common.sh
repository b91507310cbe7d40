# Read by the scripts of this folder; needs $here.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/plantstore-targets/documents

names() { awk '!/^#/ && NF { print $1 }' "$here/servers.txt"; }

# column SERVER N prints a column of the server's line.
column() {
	awk -v s="$1" -v n="$2" '!/^#/ && $1 == s { print $n; f = 1 } END { exit !f }' "$here/servers.txt" || {
		echo "$1: no such server; see servers.txt" >&2
		return 2
	}
}

# missing SERVER fails, and says so in one line, if a command of its toolchain is missing.
missing() {
	local tool tools
	tools=$(column "$1" 3)
	for tool in ${tools//,/ }; do
		command -v "$tool" >/dev/null || {
			echo "$1: skipped, toolchain missing: $tool" >&2
			return 77
		}
	done
}
