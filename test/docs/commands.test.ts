/**
 * Every command in the documents works: each line of a shell is run by a shell, with the real program, beside a daemon that
 * watches the embedded provider. Commands that cannot run here are those of `elsewhere.ts`, with the reason.
 */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { loadCommandTree } from '../../src/cli/help/command-tree.ts';
import { EVERYWHERE, type CommandNode } from '../../src/cli/command-node.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { builtProgram } from '../support/built-program.ts';
import { clockEnv } from '../support/clock-offset.ts';
import { startLinewatch } from '../support/linewatch-process.ts';
import { openSite, type Site } from '../support/site.ts';
import { blocksIn, documents, prose, ROOT, shellLines, type Block } from './documents.ts';
import { ELSEWHERE } from './elsewhere.ts';

const tree = await loadCommandTree(COMMANDS);
const blocks = blocksIn('sh');

/** A line may hold several commands, each of which is judged by itself. */
function commandsOf(line: string): string[] {
  return line.split(' && ');
}

/** The exit code where it is not 0: something critical is open at the site. */
const EXIT_CODES: Readonly<Record<string, number>> = { 'linewatch check': 2, 'linewatch check --json': 2 };

const TAKEN = { status: 200, body: 'ok' };
const GONE = { status: 404 };
/** Where the two receivers post to, until their addresses are right again. */
const refusing = new Set(['/services/T0/B0/x', '/old']);

let site: Site;

beforeAll(async () => {
  site = await openSite();
  const { status_pages: pages, receivers, route } = site.config;
  // On a slow machine the page must not become an alert of its own.
  for (const page of pages) page['unreachable_after'] = '5m';
  receivers.push({ name: 'old-slack', type: 'slack', webhook_url: `${site.slack.url}/old` });
  Object.assign(site.config, {
    route: { ...route, receivers: receivers.map(({ name }) => name) },
    accounts: [
      {
        name: 'head-office',
        base_url: site.provider.accountUrl,
        api_key: site.provider.token,
        requests_per_second: 10,
        registrations: { interval: '1s' },
        toggles: { interval: '1s' },
        calls: { missed: true },
      },
    ],
  });
  await site.start();
  await site.event('source.baseline', ({ source }) => String(source).endsWith('/head-office'));
  await makeTrouble();
});

afterAll(async () => {
  // Commands ask beside the daemon, whose limit is its own.
  site.provider.simulator.log.clear();
  await site[Symbol.asyncDispose]();
});

const folders = new Map<string, Promise<string>>();

/** The folder in which somebody follows this document. */
function folderOf({ at }: Block): Promise<string> {
  const path = at.replace(/:.*/, '');
  const folder = folders.get(path) ?? prepared();
  folders.set(path, folder);
  return folder;
}

/** A folder with `linewatch`, `dist/main.js` and `sudo` in it, and the documents' night. */
async function prepared(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'linewatch-docs-'));
  const program = `exec '${process.execPath}' '${await builtProgram()}' "$@"\n`;
  for (const [path, script] of [
    ['bin/linewatch', program],
    ['dist/main.js', program],
    ['bin/sudo', 'exec "$@"\n'],
  ] as const) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), `#!/bin/sh\n${script}`);
    chmodSync(join(folder, path), 0o755);
  }
  for (const path of ['etc/linewatch', 'var/lib/linewatch']) mkdirSync(join(folder, path), { recursive: true });
  const [night] = documents.find(({ path }) => path === 'docs/history.md')?.blocks.filter(isJson) ?? [];
  writeFileSync(join(folder, 'night.json'), night?.text ?? '');
  return folder;
}

function isJson({ language }: Block): boolean {
  return language === 'json';
}

/** Receivers that the page of a medium declares: each is tried against its stand-in, and here its name is another's. */
const DECLARED = new Set(
  documents
    .filter(({ path }) => path.startsWith('docs/receivers/'))
    .flatMap((page) => page.blocks)
    .flatMap(({ text }) => [...text.matchAll(/^ +- (?:\{ )?name: ([\w-]+)/gm)].map(([, name = '']) => name)),
);

const SAMPLE = 'linewatch notify test ops-slack';
/** Configurations whose sample was sent. */
const sampled = new Set<string>();

function knownReceiver(whole: string, name: string): string {
  return DECLARED.has(name) ? SAMPLE : whole;
}

/** The addresses, folders and months of the documents, as they are here: a month that is yet to come has no report. */
function toLocal(command: string, folder: string): string {
  const now = new Date();
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
  return command
    .replace(/^linewatch notify test (\S+)$/, knownReceiver)
    .replaceAll('2026-10', lastMonth)
    .replaceAll('https://status.example.com', site.provider.statusUrl)
    .replaceAll('https://api.example.com', site.provider.accountUrl)
    .replaceAll('/etc/linewatch/', `${folder}/etc/linewatch/`)
    .replaceAll('tar -C / ', `tar -C ${folder} `);
}

interface Ran {
  code: number | null;
  said: string;
}

function runInShell(command: string, folder: string, configuration: string): Promise<Ran> {
  const env = {
    ...clockEnv(),
    PATH: `${folder}/bin:/usr/local/bin:/usr/bin:/bin`,
    TZ: 'UTC',
    LINEWATCH_CONFIG: configuration,
  };
  const typed = [...(command.includes('--account') ? [site.provider.token] : []), `${site.slack.url}/x`, ''];
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', command], { cwd: folder, env, maxBuffer: 64e6 }, (_error, out, err) =>
      resolve({ code: child.exitCode, said: out + err }),
    );
    // Not every command reads what is typed.
    child.stdin?.on('error', () => {}).end(typed.join('\n'));
  });
}

/** What the commands of a block go by: what they have written themselves, else that of the daemon that watches. */
function configurationOf(commands: readonly string[], folder: string): string {
  const init = commands.find((command) => /\bconfig init\b/.test(command));
  if (init === undefined) return join(site.folder, 'linewatch.yaml');
  return join(folder, init.includes('--config /etc') ? 'etc/linewatch/linewatch.yaml' : 'linewatch.yaml');
}

/** The daemon by this command: until it watches. */
async function runDaemon(folder: string): Promise<void> {
  const linewatch = startLinewatch(['run'], { cwd: folder });
  onTestFinished(() => linewatch.signal('SIGKILL'));
  await linewatch.logged('watching');
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
}

/** Something is open, and something was refused: what the commands work on. */
async function makeTrouble(): Promise<void> {
  site.slack.react(({ path, body }) => (refusing.has(path) && body.includes('Calls fail') ? GONE : TAKEN));
  const id = site.provider.simulator.status.openNotice({ subject: 'Calls fail' });
  await site.event('notice.opened', ({ subject }) => subject === `notice/${id}`);
  await vi.waitFor(async () => {
    const { out } = await site.command('deliveries', 'list');
    for (const name of ['ops-slack', 'old-slack']) expect(out).toContain(name);
  }, 40_000);
}

describe('every line of a shell', () => {
  it('is found', () => {
    expect(blocks.length).toBeGreaterThan(20);
    const unknown = documents.flatMap((page) => page.blocks).filter(({ language }) => !LANGUAGES.includes(language));
    expect(unknown.map(({ at, language }) => `${at}: ${language}`)).toEqual([]);
  });

  it.each(blocks.map((block) => [block.at, block] as const))('%s', async (_at, block) => {
    const commands = shellLines(block).flatMap(commandsOf);
    const own = commands.filter((command) => !ELSEWHERE.some((row) => row.command.test(command)));
    if (own.length === 0) return;
    const folder = await folderOf(block);
    const configuration = configurationOf(commands, folder);
    for (const command of own) {
      if (command === 'linewatch deliveries retry ops-slack') refusing.delete('/services/T0/B0/x');
      if (/^(linewatch|dist\/main\.js) run$/.test(command)) await runDaemon(folder);
      else {
        const here = toLocal(command, folder);
        // The same message to the receiver that all others stand for: one is enough.
        if (here === SAMPLE && sampled.has(configuration)) continue;
        if (here === SAMPLE) sampled.add(configuration);
        const { code, said } = await runInShell(here, folder, configuration);
        expect(code, `${command}\n${said}`).toBe(EXIT_CODES[command] ?? 0);
      }
    }
  });
});

/** All that a fenced block may be; `test/docs/examples.test.ts` tries the others, `test/cli/notify-presets.test.ts` the preset. */
const LANGUAGES = ['sh', 'yaml', 'json', 'http', 'js', 'nginx', 'text'];

describe('what cannot run here', () => {
  const between = documents.flatMap((page) =>
    [...prose(page).matchAll(/`((?:sudo )?(?:npm|podman|apt|systemctl|journalctl) [^`]*)`/g)].map(
      ([, span = '']) => span,
    ),
  );
  const all = [...blocks.flatMap(shellLines), ...between].flatMap(commandsOf);

  it.each(ELSEWHERE.map((row) => [String(row.command), row] as const))('%s is tried elsewhere', (_name, row) => {
    expect(all.filter((command) => row.command.test(command))).not.toEqual([]);
    const [path, text] = row.proof;
    expect(readFileSync(join(ROOT, path), 'utf8')).toContain(text);
  });

  it('is known, between backticks too', () => {
    expect(between.length).toBeGreaterThan(10);
    const unknown = between.flatMap(commandsOf).filter((command) => !/^npm (run|start --|test --) /.test(command));
    expect(unknown.filter((command) => !ELSEWHERE.some((row) => row.command.test(command)))).toEqual([]);
  });

  it('has a script of npm where it names one', () => {
    const scripts = all.flatMap((command) => /^npm run ([\w:]+)/.exec(command)?.[1] ?? []);
    expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([]);
    expect(scripts).toContain('package');
  });

  it('is the same in the Containerfile, of containers', () => {
    const words = (text: string): string => text.replaceAll(/[#\\\s]+/g, ' ');
    const file = words(readFileSync(join(ROOT, 'systemd/Containerfile'), 'utf8'));
    const lines = all.filter((command) => command.startsWith('podman '));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !file.includes(words(line)))).toEqual([]);
  });
});

/** The command that the words name, and what of them it does not know; null where there is no such command. */
function unknownIn(words: readonly string[]): string[] | null {
  let [node, rest]: [CommandNode, readonly string[]] = [tree, words];
  for (;;) {
    const next = node.commands.find(({ name }) => name === rest[0]);
    if (next === undefined) break;
    [node, rest] = [next, rest.slice(1)];
  }
  if (node === tree && rest.some((word) => !word.startsWith('--'))) return null;
  const known = [...node.options, ...tree.options, ...EVERYWHERE].map(({ name }) => name);
  return rest.filter((word) => word.startsWith('--') && !known.includes(word));
}

describe('a command between backticks', () => {
  const spans = documents.flatMap((page) =>
    [...prose(page).matchAll(/`(?:sudo )?(?:linewatch|dist\/main\.js) ([a-z-][^`]*)`/g)].map(
      ([, words = '']) => [page.path, words] as const,
    ),
  );

  it('is found', () => expect(spans.length).toBeGreaterThan(30));

  it.each(spans)('%s: linewatch %s', (_path, words) => {
    expect(unknownIn(words.split(' '))).toEqual([]);
  });

  it('is not one where no command has its name or its option', () => {
    expect(unknownIn(['statsu'])).toBeNull();
    expect(unknownIn(['status', '--jsno'])).toEqual(['--jsno']);
    expect(unknownIn(['status', '--json'])).toEqual([]);
  });
});
