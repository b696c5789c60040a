/** What the repository as a whole promises: a small front page, and nothing that holds only on one machine. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

function isAtOrBelow(path: string, file: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

const ROOTED = /^(?:src|test|docs|config|systemd|\.ci)\//;

/** Paths in links, relative to the document, and in code spans, from the root; those of the map are below `src`. */
function pathsIn(document: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(document), target));
  const isMap = document === 'src/README.md';
  const spans = [...text.matchAll(/`((?:\.ci|[a-z][\w-]*)(?:\/[\w.-]+)+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => isMap || ROOTED.test(path))
    .filter((path) => !path.startsWith('dist/'))
    .map((path) => (isMap && !tracked.some((file) => isAtOrBelow(path, file)) ? join('src', path) : path));
  return [...links, ...spans];
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

  it('finds the paths that a document names', () => {
    const text = '[a](b/c.md#d), `src/x.ts`, `core/text`, `dist/main.js --x`, `GET /api/y`, [w](https://example.com/z)';
    expect(pathsIn('docs/one.md', text)).toEqual(['docs/b/c.md', 'src/x.ts']);
    expect(pathsIn('src/README.md', '[a](b/c.md), `test/house`, `core/text`')).toEqual([
      'src/b/c.md',
      'test/house',
      'src/core/text',
    ]);
  });

  it('names only paths that exist in its documents', () => {
    const documents = tracked.filter((path) => path.endsWith('.md'));
    const named = documents.flatMap((document) =>
      pathsIn(document, textOf(document)).map((path) => ({ document, path })),
    );
    expect(named.length).toBeGreaterThan(200);
    const missing = named.filter(({ path }) => !tracked.some((file) => isAtOrBelow(path, file)));
    expect(missing).toEqual([]);
    const files = [...textOf('src/README.md').matchAll(/`([a-z][\w-]*\.ts)`/g)].map(([, name = '']) => name);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((name) => !tracked.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });
});
