/** What the repository as a whole promises: a small front page, and nothing that holds only on one machine. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './source-files.ts';

const TOP_LEVEL = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'config',
  'docs',
  'package-lock.json',
  'package.json',
  'src',
  'systemd',
  'test',
  'tsconfig.json',
];

/** What .gitignore names, and git's own folder, is not part of the repository. */
const ignored = ['.git', ...readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n')].map((line) =>
  line.replaceAll('/', ''),
);

const tracked = readdirSync(ROOT)
  .filter((entry) => !ignored.includes(entry))
  .flatMap((entry) =>
    statSync(join(ROOT, entry)).isFile()
      ? [entry]
      : readdirSync(join(ROOT, entry), { recursive: true, encoding: 'utf8' }).map((path) => join(entry, path)),
  )
  .filter((path) => statSync(join(ROOT, path)).isFile());

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

describe('the repository', () => {
  it('shows the agreed entries at its top, and dot-files', () => {
    const entries = new Set(tracked.map((path) => path.split('/')[0] ?? ''));
    expect([...entries].filter((entry) => !entry.startsWith('.') && !TOP_LEVEL.includes(entry))).toEqual([]);
    expect(entries).toContain('package.json');
  });

  it('names no registry and no folder of the machine it was written on', () => {
    // Put together here, so that this file does not contain what it looks for.
    const local = new RegExp(
      [
        ['/wo', 'rk/'],
        ['regis', 'try\\.\\w+\\.'],
        ['/ro', 'ot/'],
        ['/ho', 'me/\\w'],
      ]
        .map((halves) => halves.join(''))
        .join('|'),
    );
    const places = tracked.filter((path) => local.test(textOf(path)));
    expect(places.map((path) => `${path}: ${local.exec(textOf(path))?.[0]}`)).toEqual([]);
  });

  it('locks every package by its checksum and leaves the choice of registry to whoever installs', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, Record<string, unknown>>;
    };
    const installed = Object.entries(packages).filter(([path]) => path !== '');
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([, entry]) => typeof entry['integrity'] !== 'string').map(([path]) => path)).toEqual([]);
    expect(installed.filter(([, entry]) => 'resolved' in entry).map(([path]) => path)).toEqual([]);
  });

  it('holds no package to the Node.js that npm runs on: all of them run on the one that is installed along', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, object> };
    // npm writes these, and warns of them on an older Node.js: take out of the lock file what it has added.
    const bound = Object.entries(packages).filter(([path, entry]) => path !== '' && 'engines' in entry);
    expect(bound.map(([path]) => path)).toEqual([]);
  });

  it('runs no script of a package: npm would run it under a link to the runtime that may not start', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, object> };
    // npm writes these: take out of the lock file what it has added. esbuild needs none, its script only saves a process.
    const running = Object.entries(packages).filter(([, entry]) => 'hasInstallScript' in entry);
    expect(running.map(([path]) => path)).toEqual([]);
  });

  it('pins its dependencies to exact versions', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(textOf('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('names no file in the map of src that is not there', () => {
    const named = [...textOf('src/README.md').matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.[a-z]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(50);
    expect(
      named.filter(
        (path) => ![join('src', path), path].some((one) => tracked.includes(one) || one.startsWith('dist/')),
      ),
    ).toEqual([]);
  });
});
