#!/bin/sh
# with-runtime.sh COMMAND ARGS…: runs COMMAND under the Node.js of the project. It is the first `node` of the PATH, and
# the commands of `node_modules` come next, so that every script that begins with `env node` runs under it, too.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit
. "$root/src/build/find-runtime.sh"
find_runtime "$root" || exit 2
PATH=${node%/*}:$root/node_modules/.bin:$PATH
export PATH
exec "$@"
