// Loaded into Linewatch before itself. Once /run/hang is there, no answer is read to its end, not even to that of its
// time limit, and eleven minutes pass at once: a sweep that waits for it never ends.
const fs = process.getBuiltinModule('node:fs');
const { performance } = process.getBuiltinModule('node:perf_hooks');
const { Readable } = process.getBuiltinModule('node:stream');

const iterate = Readable.prototype[Symbol.asyncIterator];
const now = performance.now.bind(performance);
let later = 0;

Readable.prototype[Symbol.asyncIterator] = function (...args) {
  if (!fs.existsSync('/run/hang')) return iterate.apply(this, args);
  later = 11 * 60_000;
  return { next: () => new Promise(() => {}) };
};
performance.now = () => now() + later;
