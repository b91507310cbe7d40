# Read by install.sh and start.sh; needs $here.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/plantstore-targets

names() { awk '!/^#/ && NF { print $1 }' "$here/stacks.txt"; }

# folder STACK prints the stack's folder.
folder() {
	awk -v s="$1" '!/^#/ && $1 == s { print $2; f = 1 } END { exit !f }' "$here/stacks.txt" || {
		echo "$1: no such stack; known: $(names | tr '\n' ' ')" >&2
		return 2
	}
}

# missing STACK fails, and says so in one line, if a command of its toolchain is missing.
missing() {
	local tool
	for tool in $(awk -v s="$1" '!/^#/ && $1 == s { gsub(",", " ", $3); print $3 }' "$here/stacks.txt"); do
		command -v "$tool" >/dev/null || {
			echo "$1: skipped, toolchain missing: $tool" >&2
			return 77
		}
	done
}
