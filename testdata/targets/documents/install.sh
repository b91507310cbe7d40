#!/usr/bin/env bash
# install.sh [SERVER...] installs what the servers of servers.txt need, all of them
# if none is named, from the package registries, into
# ${XDG_CACHE_HOME:-$HOME/.cache}/plantstore-targets/documents.
# Exit codes: 0 done, 1 an installation failed, 2 unknown server,
# 77 a toolchain is missing (everything else was installed).
set -u
here=$(cd "$(dirname "$0")" && pwd)
list=$here/servers.txt
. "$here/../common.sh"
cache=$cache/documents

choose "$@"

# source PACKAGE VERSION unpacks the source distribution, which has the examples.
source() {
	[ ! -d "$cache/python/$1" ] || return 0
	local to
	to=$(mktemp -d) &&
		"$cache/python/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --no-binary :all: -d "$to" "$1==$2" &&
		mkdir "$to/$1" && tar -xzf "$to"/*.tar.gz -C "$to/$1" --strip-components=1 && mv "$to/$1" "$cache/python/$1"
}

install() {
	mkdir -p "$cache/$1"
	case $1 in
	python)
		[ -x "$cache/python/venv/bin/python" ] || python3 -m venv "$cache/python/venv" || return 1
		"$cache/python/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt" &&
			source fastapi 0.116.1 && source apiflask 2.4.0 && source django_ninja 1.4.3 ;;
	node)
		cp "$here/package.json" "$here/package-lock.json" "$cache/node/" &&
			(cd "$cache/node" && npm ci --silent --no-audit --no-fund --ignore-scripts) ;;
	go)
		(cd "$cache" && GOBIN=$cache/go go install github.com/prometheus/alertmanager/cmd/alertmanager@v0.28.1) ;;
	java)
		mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
			-Dartifact=com.netflix.conductor:conductor-server:3.15.0:jar:boot "-DoutputDirectory=$cache/java" ;;
	esac
}

install_all "${chosen[@]}"
