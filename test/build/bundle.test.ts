/**
 * The bundle as users run it: what works from source may still miss a module once it is bundled. That it holds what each
 * command needs, test/acceptance/command-line.test.ts sees, which runs the same bundle.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { RUNTIME_ENVIRONMENT, RUNTIME_FLAGS } from '../../src/build/launcher.ts';
import { toNativeAsync } from '../../src/build/native-async.ts';
import { toLateFormatters } from '../../src/build/plugins.ts';
import { countBusiestWindow } from '../../src/simulator/request-log.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { install } from '../bench/installation.ts';
import { startBenchProvider } from '../bench/provider.ts';
import { builtProgram } from '../support/built-program.ts';
import { startHttpReceiver } from '../support/http-receiver.ts';

const dist = dirname(await builtProgram());
const folder = mkdtempSync(join(tmpdir(), 'linewatch-bundle-'));

afterAll(() => rmSync(folder, { recursive: true }));

/** No runtime lies beside this build: the launcher takes the one that runs the tests. */
const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;

function run(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(join(dist, 'main.js'), args, { env: { PATH }, cwd: folder }, (error, out, err) => {
      resolve({ code: error === null ? 0 : error.code, out, err });
    });
  });
}

describe('the bundle', () => {
  it('knows its version', async () => {
    expect(await run('--version')).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' });
  });

  it('lets no more requests arrive in any second than are allowed, by the rewritten Bottleneck', async () => {
    await using provider = await startBenchProvider();
    await using place = await install({
      pages: [`${provider.url}/page-500`],
      interval: '1s',
      webhook: provider.url,
      requestsPerSecond: 7,
    });
    const env = { PATH, HOME: place.folder };
    const linewatch = spawn(join(dist, 'main.js'), ['run', '--config', place.file], { env, stdio: 'ignore' });
    const ended = once(linewatch, 'exit');
    await expect.poll(() => provider.asked.length, { timeout: 60_000 }).toBeGreaterThan(24);
    linewatch.kill();
    await ended;
    const asked = provider.asked.filter(({ path }) => path.startsWith('/page-500/api/'));
    expect(asked.length).toBeGreaterThan(20);
    expect(countBusiestWindow(asked)).toBeLessThanOrEqual(7);
  });

  it('leaves out what nothing uses of packages: languages of zod, Redis, spinners, media types', () => {
    const unused: readonly [file: string, text: string][] = [
      ['zod/v4/locales/de.js', 'Eingabe'],
      ['bottleneck/lib/lua.json', 'hincrby'],
      ['cli-spinners/spinners.json', 'bouncingBar'],
      ['nodemailer/dist/esm/mime-funcs/mime-types.js', 'vnd.ms-xpsdocument'],
    ];
    const program = readFileSync(join(dist, 'program.js'), 'latin1');
    for (const [file, text] of unused) {
      expect(readFileSync(new URL(`../../node_modules/${file}`, import.meta.url), 'utf8')).toContain(text);
      expect(program).not.toContain(text);
    }
  });

  it('rewrites only the text of Bottleneck that is known', () => {
    const file = new URL('../../node_modules/bottleneck/lib/Job.js', import.meta.url);
    const text = readFileSync(file, 'utf8');
    // `await` takes only the next operand, `yield` took the whole condition: without brackets every job would run at once.
    expect(toNativeAsync('Job.js', text)).toMatch(/passed = await \(chained != null \? .* : _this\.task\(.*\)\);/);
    expect(toNativeAsync('Job.js', text)).not.toMatch(/\byield\b|function\s*\*/);
    expect(() => toNativeAsync('Job.js', `${text} `)).toThrow('bottleneck/lib/Job.js has changed');
    expect(() => toNativeAsync('Sync.js', text)).toThrow('bottleneck/lib/Sync.js has changed');
  });

  it('reports an error by the place in the source', async () => {
    const trouble = join(folder, 'trouble.mjs');
    // Whatever main.ts writes first fails here, in code of the bundle.
    writeFileSync(
      trouble,
      `Object.defineProperty(process, 'cwd', { value: () => { throw new Error('no folder'); } });`,
    );
    const report = await new Promise<string>((resolve) => {
      execFile(process.execPath, ['--import', trouble, join(dist, 'main.js')], (_, __, err) => resolve(err));
    });
    expect(report).toContain('no folder');
    expect(report).toMatch(/src\/main\.ts:\d+/);
  });

  it('starts from compiled code, which this Node.js takes with the options of the launcher', async () => {
    const [, options = ''] = /exec "\$node" (--.*?) "\$self"/.exec(readFileSync(join(dist, 'main.js'), 'utf8')) ?? [];
    expect(options.split(' ')).toEqual(RUNTIME_FLAGS);
    const container = readFileSync(new URL('../../systemd/Containerfile', import.meta.url), 'utf8');
    expect(container).toContain(RUNTIME_FLAGS.map((flag) => JSON.stringify(flag)).join(', '));
    for (const [name, value] of Object.entries(RUNTIME_ENVIRONMENT)) expect(container).toContain(` ${name}=${value}\n`);
    const isRefused = join(folder, 'is-refused.cjs');
    const [source, code] = ['program.js', 'program.cache'].map((name) => JSON.stringify(join(dist, name)));
    writeFileSync(
      isRefused,
      `const { readFileSync } = require('node:fs');
       const { Script } = require('node:vm');
       const script = new Script(readFileSync(${source}, 'latin1'), { cachedData: readFileSync(${code}) });
       process.stdout.write(String(script.cachedDataRejected));`,
    );
    for (const given of [options.split(' '), []]) {
      const { stdout } = await promisify(execFile)(process.execPath, [...given, isRefused]);
      expect(stdout).toBe('false');
    }
    expect(await run('--version')).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' });
  });

  it('brings the thread that makes a report', async () => {
    const place = { stateDir: folder, instance: 'hq', database: null };
    const thread = new Worker(join(dist, 'history-thread.js'), {
      workerData: { task: 'mailed', asked: { ...place, timezone: 'UTC', month: '2026-10', madeAt: 0 } },
    });
    // It ends with an error of its own making: it was found, and what it needs is in it.
    await expect(once(thread, 'message')).rejects.toThrow(`There is no history in ${folder}.`);
    expect(readFileSync(join(dist, 'program.js'), 'utf8')).toContain('history-thread');
  });

  /** Modules of Node.js that a run has loaded by its end. */
  function loadedBy(...args: string[]): Promise<string> {
    const listing = join(folder, 'listing.mjs');
    writeFileSync(listing, `process.on('exit', () => process.stdout.write(process.moduleLoadList.join('\\n')));`);
    return new Promise((resolve) => {
      const flags = ['--import', listing, join(dist, 'linewatch.js')];
      execFile(process.execPath, [...flags, ...args], { cwd: folder, env: {} }, (_, out) => resolve(out));
    });
  }

  it('loads no module of Node.js that a start does not need', async () => {
    // All that the daemon imports is loaded by the time it misses its configuration.
    const loaded = await loadedBy('run', '--config', 'nowhere.yaml');
    expect(loaded).toMatch(/^NativeModule http$/m);
    expect(loaded).not.toMatch(/^NativeModule (?:child_process|crypto|http2|https|perf_hooks|tls|zlib)$/m);
    expect(loaded).not.toContain('undici');
  });

  it('loads the data of no locale before its first request', async () => {
    await using provider = await startBenchProvider();
    const pages = [`${provider.url}/page-100`];
    await using place = await install({ pages, interval: '1s', webhook: provider.url });
    const watched = join(folder, 'locales.cjs');
    writeFileSync(
      watched,
      `const say = (name) => process.stderr.write('LOCALE ' + name + new Error().stack + '\\n');
       for (const name of ['Collator', 'DateTimeFormat', 'DisplayNames', 'ListFormat', 'NumberFormat', 'PluralRules']) {
         const construct = (made, given) => (say(name), Reflect.construct(made, given));
         Intl[name] = new Proxy(Intl[name], { construct, apply: (made, _, given) => construct(made, given) });
       }
       for (const [kind, name] of [[Number, 'toLocaleString'], [Date, 'toLocaleString'], [String, 'localeCompare']]) {
         const known = kind.prototype[name];
         kind.prototype[name] = function (...given) { say(name); return known.apply(this, given); };
       }
       if (process.env.USED === '1') (1).toLocaleString('en');`,
    );
    /** What it writes until it first asks the page. */
    const writtenUntilAsked = async (env: Record<string, string>): Promise<string> => {
      const asked = provider.next('/page-100/api/');
      const args = ['--require', watched, join(dist, 'main.js'), 'run', '--config', place.file];
      const linewatch = spawn(process.execPath, args, { env: { HOME: place.folder, ...env } });
      let written = '';
      linewatch.stderr.on('data', (piece: Buffer) => (written += piece.toString()));
      const closed = once(linewatch, 'close');
      await asked;
      linewatch.kill('SIGKILL');
      await closed;
      return written;
    };
    expect(await writtenUntilAsked({ USED: '1' })).toContain('LOCALE toLocaleString');
    expect(await writtenUntilAsked({})).not.toContain('LOCALE');
  });

  it('delays only formatters that are known', () => {
    const known = `const orFormatter = new Intl.ListFormat('en', { type: 'disjunction' });\nconst list = new Intl.Locale('en');`;
    expect(toLateFormatters(known)).toBe(
      `const orFormatter = { format: (list) => new Intl.ListFormat('en', { type: 'disjunction' }).format(list) };\nconst list = new Intl.Locale('en');`,
    );
    expect(() => toLateFormatters('export default 1;')).toThrow('@sindresorhus/is has changed');
  });

  it('loads no second way to speak HTTP to tell somebody', async () => {
    await using bus = await startHttpReceiver();
    const configuration = {
      status_pages: [{ name: 'page', base_url: 'https://status.example.com' }],
      receivers: [{ name: 'bus', type: 'webhook', url: bus.url }],
      route: { receivers: ['bus'] },
    };
    writeFileSync(join(folder, 'told.yaml'), JSON.stringify(configuration), { mode: 0o600 });
    const loaded = await loadedBy('notify', 'test', '--config', 'told.yaml');
    expect(bus.taken).toHaveLength(1);
    expect(loaded).not.toContain('undici');
  });

  it('is read as one byte a character', () => {
    expect(readFileSync(join(dist, 'program.js')).every((byte) => byte < 128)).toBe(true);
  });

  it('is a library too', async () => {
    const script = join(folder, 'library.mjs');
    writeFileSync(
      script,
      `console.log(Object.keys(await import(${JSON.stringify(join(dist, 'index.js'))})).join(' '));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(stdout.trim().split(' ')).toEqual(expect.arrayContaining(['createStatusClient', 'openApiDocument']));
  });
});
