#!/bin/sh
':' /* This file is a shell script and a JavaScript module at once. Whoever starts it as a program gets the shell
# script, which hands its own process over (exec) to the Node.js that came with the installation; whoever gives it
# to Node.js gets the module at the end. The real place of this file counts, not the link it was called by.

self=$(readlink -f -- "$0") || self=$0
# systemd listens on a socket that Node.js cannot open: notify.pl connects it, and becomes this file once more.
notify=${self%/dist/main.js}/systemd/notify.pl
if [ -n "$NOTIFY_SOCKET" ] && [ -f "$notify" ] && perl -MSocket -MFcntl -e 1 2>/dev/null; then
  exec perl "$notify" /bin/sh "$self" "$@"
fi

__FIND_RUNTIME__
find_runtime "${self%/dist/main.js}" || exit 2
MALLOC_MMAP_THRESHOLD_=${MALLOC_MMAP_THRESHOLD_:-__MMAP_THRESHOLD__} exec "$node" __FLAGS__ "$self" "$@"
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
