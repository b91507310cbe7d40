#!/usr/bin/env bash
# start.sh SERVER PORT [DIRECTORY] runs one server in the foreground, on
# 127.0.0.1:PORT, with an empty store, until it is killed. DIRECTORY has the
# documents of testdata/corpus, which Prism serves.
# Exit codes besides the server's own: 2 wrong command line, 77 a toolchain is
# missing, 78 not installed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
list=$here/servers.txt
. "$here/../common.sh"
cache=$cache/documents

[ $# -ge 2 ] || {
	echo "usage: start.sh SERVER PORT [DIRECTORY]" >&2
	exit 2
}
server=$1 port=$2 dir=$(realpath "${3:-.}")
folder=$(column "$server" 2) || exit 2
missing "$server" || exit 77

# Some write a database into the folder that they run in.
work=$(mktemp -d)
python=$cache/python
export PYTHONDONTWRITEBYTECODE=1
case $server in
fastapi-*)
	need "$python/fastapi/docs_src"
	cd "$work" || exit 1
	exec "$python/venv/bin/uvicorn" --app-dir "$python/fastapi" --host 127.0.0.1 --port "$port" \
		--no-access-log --log-level warning "docs_src.${server#fastapi-}:app" ;;
apiflask-*)
	need "$python/apiflask/examples"
	cd "$work" || exit 1
	exec "$python/venv/bin/flask" --app "$python/apiflask/examples/${server#apiflask-}/app.py" run --port "$port" ;;
ninja-*)
	need "$python/django_ninja/tests/demo_project"
	cp -r "$python/django_ninja/tests/demo_project" "$work/demo" && cd "$work/demo" || exit 1
	"$python/venv/bin/python" manage.py migrate --run-syncdb --verbosity 0 || exit 1
	exec "$python/venv/bin/python" manage.py runserver --noreload "127.0.0.1:$port" ;;
prism-*)
	need "$cache/node/node_modules"
	document=$(column "$server" 4)
	need "$dir/${document#corpus:}"
	exec node "$cache/node/node_modules/.bin/prism" mock --host 127.0.0.1 --port "$port" --verboseLevel silent "$dir/${document#corpus:}" ;;
loopback-todo)
	from=$cache/node/node_modules/@loopback/example-todo
	need "$from"
	# The example keeps its data in the folder that it runs in.
	cp -r "$from/data" "$work/" && cd "$work" || exit 1
	HOST=127.0.0.1 PORT=$port exec node --require "$here/loopbackonly.js" "$from" ;;
alertmanager)
	need "$cache/go/alertmanager"
	printf 'route: {receiver: none}\nreceivers: [{name: none}]\n' >"$work/config.yml"
	exec "$cache/go/alertmanager" --config.file "$work/config.yml" --storage.path "$work/data" \
		--web.listen-address "127.0.0.1:$port" --cluster.listen-address= --log.level error ;;
conductor)
	need "$cache/java/conductor-server-3.15.0-boot.jar"
	cd "$work" || exit 1
	# Without these it asks for a Redis server and stores samples that it gets elsewhere.
	exec java -jar "$cache/java/conductor-server-3.15.0-boot.jar" --server.address=127.0.0.1 "--server.port=$port" \
		--conductor.queue.type=memory --loadSample=false ;;
esac
