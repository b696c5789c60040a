#!/bin/sh
# with-runtime.sh COMMAND ARGS…: runs COMMAND under the Node.js of the project. It is the first `node` of the PATH, and
# the commands of `node_modules` come next, so that every script that begins with `env node` runs under it, too.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit
. "$root/src/build/find-runtime.sh"
find_runtime "$root" || exit 2
# Scripts need the links of node_modules/.bin, which an npm without `bin-links` does not make.
if [ -d "$root/node_modules" ] && [ ! -d "$root/node_modules/.bin" ]; then
  "$node" "$root/src/build/link-commands.ts" || exit
fi
PATH=${node%/*}:$root/node_modules/.bin:$PATH
export PATH
exec "$@"
