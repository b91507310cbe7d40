# Read by the scripts of this folder and of documents; needs $list. Each line of that
# file begins with a name, a folder and a toolchain (commands, separated by commas).
cache=${XDG_CACHE_HOME:-$HOME/.cache}/plantstore-targets

names() { awk '!/^#/ && NF { print $1 }' "$list"; }

# column NAME N prints a column of the line with that name.
column() {
	awk -v s="$1" -v n="$2" '!/^#/ && $1 == s { print $n; f = 1 } END { exit !f }' "$list" || {
		echo "$1: no such name; see ${list##*/}" >&2
		return 2
	}
}

# choose [NAME...] sets chosen to the names, without any to all names of the list. A name
# that the list lacks ends the script with 2.
choose() {
	local name
	[ $# -gt 0 ] || set -- $(names)
	for name in "$@"; do column "$name" 2 >/dev/null || exit 2; done
	chosen=("$@")
}

# arguments SCRIPT [ARGUMENT...] reads the command line SCRIPT CONFORMANCE [STACK...]: it
# sets suite and chosen. A wrong command line ends the script with 2.
arguments() {
	[ $# -ge 2 ] && [ -x "$2" ] || {
		echo "usage: $1 CONFORMANCE [STACK...]" >&2
		exit 2
	}
	suite=$2
	choose "${@:3}"
}

# missing NAME fails, and says so in one line, if a command of its toolchain is missing.
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

# need PATH ends the script if an installation lacks the path.
need() {
	[ -e "$1" ] || {
		echo "not installed: $1 is missing; run install.sh" >&2
		exit 78
	}
}

# install_all NAME... runs install FOLDER once for each folder.
install_all() {
	local name folder status=0 done=
	for name in "$@"; do
		folder=$(column "$name" 2)
		case " $done " in *" $folder "*) continue ;; esac
		done="$done $folder"
		if ! missing "$name"; then
			[ $status -eq 1 ] || status=77
			continue
		fi
		echo "$name: installing into $cache/$folder"
		if ! install "$folder"; then
			echo "$name: installation failed" >&2
			status=1
		fi
	done
	return $status
}
