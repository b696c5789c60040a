#!/bin/sh
':' /* This file is a shell script and a JavaScript module at once. Run as a program it is the shell
# script, which replaces its own process (exec) by the Node.js that came with the installation. Given to Node.js it
# is the module at the end. The real path of this file counts, not that of a link to it.

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
  // Started without the shell script above: a listener keeps Node.js from opening its debugger at this signal.
  process.on('SIGUSR1', () => {});
  void import('./linewatch.js');
}
