/** The program as a later version might be: it writes documents of a newer schema, and reads those of this one. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtProgram } from '../support/built-program.ts';

export interface NewerBuild extends Disposable {
  /** To give to Node.js. */
  program: string;
}

const SCHEMA = /\{schema:(\d+),migrations:\[([\w$]+)\]\}/g;

export async function newerBuild(): Promise<NewerBuild> {
  const folder = mkdtempSync(join(tmpdir(), 'linewatch-newer-'));
  cpSync(dirname(await builtProgram()), folder, { recursive: true });
  // What was compiled of this version is of no use to it.
  rmSync(join(folder, 'program.cache'), { force: true });
  const file = join(folder, 'program.js');
  const code = readFileSync(file, 'latin1');
  let changed = 0;
  const newer = code.replaceAll(SCHEMA, (_, schema: string, migration: string) => {
    changed += 1;
    const to = Number(schema) + 1;
    return `{schema:${to},migrations:[${migration},{to:${to},change:(value)=>({...value,newer:true})}]}`;
  });
  if (changed !== 3) throw new Error(`expected the schemas of 3 kinds of documents in the program, found ${changed}`);
  writeFileSync(file, newer, 'latin1');
  return {
    program: join(folder, 'linewatch.js'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
