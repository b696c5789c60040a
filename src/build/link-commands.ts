/** Links the commands of the packages that this project names into `node_modules/.bin`, where npm has made no links. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

interface Package {
  bin?: string | Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const PROJECT = join(import.meta.dirname, '../..');
const MODULES = join(PROJECT, 'node_modules');

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
}

/** By name, the files of a package that are commands. */
function listCommands(name: string): [string, string][] {
  const { bin = {} } = readPackage(join(MODULES, name));
  const own = typeof bin === 'string' ? { [name.replace(/^.*\//, '')]: bin } : bin;
  return Object.entries(own).map(([command, file]) => [command, join(name, file)]);
}

const { dependencies, devDependencies } = readPackage(PROJECT);
const installed = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
  existsSync(join(MODULES, name)),
);
mkdirSync(join(MODULES, '.bin'));
for (const [command, file] of installed.flatMap(listCommands)) {
  chmodSync(join(MODULES, file), 0o755);
  symlinkSync(join('..', file), join(MODULES, '.bin', command));
}
