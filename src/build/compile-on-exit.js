/** `node compile-on-exit.js DIST ARGS…`: runs the program and saves its compiled code at the end. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const [dist = '', ...args] = process.argv.slice(2);
const file = join(dist, 'program.js');
process.argv.splice(1, process.argv.length, file, ...args);

// Keeps code that ran once until it is saved. The flag is reset before saving, as V8 rejects a cache made under other
// flags than those of the program that loads it.
setFlagsFromString('--no-flush-bytecode');
const script = new Script(readFileSync(file, 'latin1'), { filename: file });
process.on('exit', (code) => {
  setFlagsFromString('--flush-bytecode');
  if (code === 0) writeFileSync(join(dist, 'program.cache'), script.createCachedData());
});
script.runInThisContext()(pathToFileURL(join(dist, 'linewatch.js')).href);
