/** The source as the house rules see it: files by room, and what each imports. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Import {
  /** A path relative to `src` for our own files (`core/alert/alert.ts`), else the name of the module as written. */
  readonly target: string;
  readonly isOwn: boolean;
  readonly typeOnly: boolean;
}

export interface SourceFile {
  /** Relative to the folder it was listed from, with `/`. */
  readonly path: string;
  /** See `roomOf`. */
  readonly room: string;
  readonly text: string;
  /** The text without comments and without the content of strings: what is code. */
  readonly code: string;
  readonly imports: readonly Import[];
}

/** The first folder of a path, in the core the first two, or the file's own name where it lies at the top. */
export function roomOf(path: string): string {
  const [first = path, second = ''] = path.split('/');
  return first === 'core' ? `${first}/${second}` : first;
}

/** Every TypeScript file below `folder`, which is relative to the root of the project. */
export function sourceFiles(folder: string): SourceFile[] {
  const base = join(ROOT, folder);
  return readdirSync(base, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = readFileSync(join(base, path), 'utf8');
      return { path, room: roomOf(path), text, code: codeOf(text), imports: importsOf(base, path, text) };
    });
}

const FROM = /^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'/gm;
const BARE = /^import\s+'([^']+)'/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;

function importsOf(base: string, path: string, text: string): Import[] {
  const found = [
    ...[...text.matchAll(FROM)].map(([, type, name = '']) => ({ name, typeOnly: type !== undefined })),
    ...[...text.matchAll(BARE)].map(([, name = '']) => ({ name, typeOnly: false })),
    ...[...text.matchAll(DYNAMIC)].map(([, name = '']) => ({ name, typeOnly: false })),
  ];
  return found.map(({ name, typeOnly }) => {
    const isOwn = name.startsWith('.');
    return { target: isOwn ? relative(base, join(dirname(join(base, path)), name)) : name, isOwn, typeOnly };
  });
}

/** Comments may mention anything; strings too. */
export function codeOf(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** `@hono/node-server/serve-static` → `@hono/node-server`. */
export function packageOf(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');
}
