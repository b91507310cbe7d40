#!/usr/bin/env bash
# install.sh [STACK...] installs what the stacks of stacks.txt need, all of them
# if none is named, into ${XDG_CACHE_HOME:-$HOME/.cache}/plantstore-targets.
# Exit codes: 0 done, 1 an installation failed, 2 unknown stack,
# 77 a toolchain is missing (everything else was installed).
set -u
here=$(cd "$(dirname "$0")" && pwd)
list=$here/stacks.txt
. "$here/common.sh"

choose "$@" # checks all names before the first download

install() {
	local folder=$1 to=$cache/$1
	mkdir -p "$to"
	case $folder in
	fastapi | flask)
		[ -x "$to/venv/bin/python" ] || python3 -m venv "$to/venv" || return 1
		"$to/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/$folder/requirements.txt" ;;
	fastify | express)
		cp "$here/$folder/package.json" "$here/$folder/package-lock.json" "$to/" &&
			(cd "$to" && npm ci --silent --no-audit --no-fund) ;;
	go-gin | go-oapi)
		(cd "$here/$folder" && go build -o "$to/" ./tutorial ./careful) ;;
	axum)
		cargo build --quiet --release --locked --manifest-path "$here/axum/Cargo.toml" --target-dir "$to/target" ;;
	javalin)
		mvn --quiet --batch-mode -f "$here/javalin/pom.xml" "-Dtarget=$to/target" package ;;
	esac
}

install_all "${chosen[@]}"
