/**
 * Runs the program, from compiled code where that lies beside it. Node.js's own cache of compiled code keeps only what is
 * compiled when a file is loaded; most of a start is what is compiled after that, function by function.
 */
const { readFileSync } = process.getBuiltinModule('node:fs');
const { Script } = process.getBuiltinModule('node:vm');
const { fileURLToPath } = process.getBuiltinModule('node:url');

const file = fileURLToPath(new URL('program.js', import.meta.url));

function compiledCode() {
  try {
    return readFileSync(new URL('program.cache', import.meta.url));
  } catch {
    // It only saves time. Another Node.js than the one it was made by does not take it, either.
    return undefined;
  }
}

// The bundle is plain ASCII: read so, it takes one byte a character and no decoding.
const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: compiledCode() });

/** What is over sooner needs no such care, and a start does not wait for `node:v8`. */
const HEAP_IS_WATCHED_AFTER_MS = 1_000;
const HEAP_IS_WATCHED_EVERY_MS = 5_000;
/** Bytes, as 200 accounts take. */
const SMALL_HEAP = 48 * 2 ** 20;
/** Bytes, as 5,000 accounts take. */
const LARGE_HEAP = 512 * 2 ** 20;

// Left alone the heap grows to three times what is alive before all of it is collected. A small one grows by a fifth, or
// by 8 MB, and a medium one by three tenths: with 1,000 accounts marking takes a third less, for 7 MB.
// V8's memory saver takes 13 MB less for a page and an account, and a third more processor time: it lets the heap grow by
// a tenth, and with 1,000 accounts all of it is collected every two seconds. As an option of the runtime it would have the
// compiled code refused.
// The young generation of a small heap stays as small as it is: 12 MB less, for 0.15 ms of processor a request more. That
// of others may grow, as with many requests at once more would outlive it.
// A large heap grows by two fifths, and buffers outside of it count as a part of it: on their own V8 collects all after
// each 64 MB, which was every four seconds with 10,000 accounts, and half of the processor time.
setTimeout(() => {
  const { getHeapStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8');
  function limitGrowth() {
    const used = getHeapStatistics().used_heap_size;
    const [youngFactor, percent] = used < SMALL_HEAP ? [1, 20] : used < LARGE_HEAP ? [2, 30] : [2, 40];
    setFlagsFromString(`--semi-space-growth-factor=${youngFactor}`);
    setFlagsFromString(`--heap-growing-percent=${percent}`);
  }
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  limitGrowth();
  setInterval(limitGrowth, HEAP_IS_WATCHED_EVERY_MS).unref();
}, HEAP_IS_WATCHED_AFTER_MS).unref();
script.runInThisContext()(import.meta.url);
