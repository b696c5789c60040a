// Loaded into Linewatch before itself. Once /run/hang is there, what is written to disk is never done, as on a disk that
// hangs, and eleven minutes pass at once: a sweep that waits for it never ends.
const fs = process.getBuiltinModule('node:fs');
const promises = process.getBuiltinModule('node:fs/promises');
const { performance } = process.getBuiltinModule('node:perf_hooks');

const { rename } = promises;
const now = performance.now.bind(performance);
let later = 0;

promises.rename = (...args) => {
  if (!fs.existsSync('/run/hang')) return rename(...args);
  later = 11 * 60_000;
  return new Promise(() => {});
};
performance.now = () => now() + later;
