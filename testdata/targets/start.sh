#!/usr/bin/env bash
# start.sh STACK tutorial|careful PORT TOKEN runs one server in the foreground,
# on 127.0.0.1:PORT, until it is killed.
# Exit codes besides the server's own: 2 wrong command line, 77 a toolchain is
# missing, 78 not installed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
list=$here/stacks.txt
. "$here/common.sh"

[ $# -eq 4 ] || {
	echo "usage: start.sh STACK tutorial|careful PORT TOKEN" >&2
	exit 2
}
stack=$1 kind=$2
export PORT=$3 TOKEN=$4
folder=$(column "$stack" 2) || exit 2
case $kind in tutorial | careful) ;; *)
	echo "$kind: tutorial or careful" >&2
	exit 2
	;;
esac
missing "$stack" || exit 77

from=$here/$folder to=$cache/$folder
export PYTHONDONTWRITEBYTECODE=1
case $stack in
fastapi | fastapi-workers | fastapi-h11)
	need "$to/venv/bin/uvicorn"
	more=
	[ "$stack" != fastapi-workers ] || more="--workers 3"
	[ "$stack" != fastapi-h11 ] || more="--http h11 --loop asyncio"
	exec "$to/venv/bin/uvicorn" --app-dir "$from" --host 127.0.0.1 --port "$PORT" --no-access-log --log-level warning $more "$kind:app" ;;
flask)
	need "$to/venv/bin/flask"
	exec "$to/venv/bin/flask" --app "$from/$kind.py" run --port "$PORT" ;;
flask-gunicorn)
	need "$to/venv/bin/gunicorn"
	exec "$to/venv/bin/gunicorn" --chdir "$from" --bind "127.0.0.1:$PORT" --log-level warning "$kind:app" ;;
fastify | express)
	need "$to/node_modules"
	NODE_PATH=$to/node_modules exec node "$from/$kind.js" ;;
gin | oapi-codegen)
	need "$to/$kind"
	GIN_MODE=release exec "$to/$kind" ;;
axum)
	need "$to/target/release/$kind"
	exec "$to/target/release/$kind" ;;
javalin)
	need "$to/target/classes"
	class=Tutorial
	[ "$kind" = tutorial ] || class=Careful
	exec java -cp "$to/target/classes:$to/target/lib/*" $class ;;
esac
