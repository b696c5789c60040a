/** `node compile-on-exit.js DIST ARGS…`: runs the program and keeps, when it ends, what of it was compiled. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const [dist = '', ...args] = process.argv.slice(2);
const file = join(dist, 'program.js');
process.argv.splice(1, process.argv.length, file, ...args);

// What ran once is not thrown away before it is kept. A program that starts does not have this flag: what is kept under
// another flag would be refused, so it is taken back.
setFlagsFromString('--no-flush-bytecode');
const script = new Script(readFileSync(file, 'latin1'), { filename: file });
process.on('exit', (code) => {
  setFlagsFromString('--flush-bytecode');
  if (code === 0) writeFileSync(join(dist, 'program.cache'), script.createCachedData());
});
script.runInThisContext()(pathToFileURL(join(dist, 'linewatch.js')).href);
