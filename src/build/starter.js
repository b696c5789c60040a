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
script.runInThisContext()(import.meta.url);
