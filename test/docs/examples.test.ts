/** Examples in the documents are true: configurations load, histories replay, addresses answer, signatures verify. */
import { mkdtempSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { NO_FACTS } from '../../src/core/view/story/facts-report.ts';
import { toCloudEvents } from '../../src/receivers/webhook/event.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import { loaded, requestIn, told } from '../config/loading.ts';
import { startHttpReceiver } from '../support/http-receiver.ts';
import { fakePlatform } from '../support/platform.ts';
import { NOW, opened, TIMEZONE } from '../support/messages.ts';
import { openWeb } from '../web/open-web.ts';
import { openWithPast } from '../web/past.ts';
import { blocksIn, documents, type Block } from './documents.ts';

interface Fragment {
  status_pages?: object[];
  accounts?: object[];
  account_defaults?: { base_url?: string };
  receivers?: object[];
  route?: { receivers?: string[] };
  include?: string[];
}

/** What every configuration needs; an example shows only what it is about. */
function whole(fragment: Fragment): Fragment {
  return {
    status_pages: [{ name: 'provider', base_url: 'https://status.example.com' }],
    receivers: [{ name: 'ops', type: 'slack', webhook_url: 'https://hooks.slack.com/services/T0/B0/planted' }],
    ...fragment,
    route: { receivers: ['ops'], ...fragment.route },
  };
}

/** A credential for each that is named, and what its place wants of it. */
function credentialsFor(text: string): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    slack: 'https://hooks.slack.com/services/T0/B0/planted',
    voice: 'https://hooks.slack.com/services/T0/B1/planted',
    heartbeat: 'https://beat.example.com/planted',
    database: 'postgres://linewatch:planted@db.example.com/linewatch',
    'page-alex': 'scrypt:65536:8:1:c2FsdHNhbHRzYWx0c2E:aGFzaA',
    teams: 'https://prod-1.example.com/workflows/planted',
    'slack-bot': 'xoxb-1-2-planted',
    telegram: '123456:plantedplantedplantedplanted',
    pushover: 'planted'.repeat(5).slice(0, 30),
    'pushover-user': 'planted'.repeat(5).slice(0, 30),
    discord: 'https://discord.example.com/api/webhooks/1/planted',
    chat: 'https://chat.example.com/v1/spaces/A/messages?key=planted&token=planted',
    mattermost: 'https://chat.example.com/hooks/planted',
    dkim: readFileSync(new URL('../fixtures/tls/localhost.key', import.meta.url), 'utf8'),
  };
  const names = [...text.matchAll(/\$\{credential:([\w-]+)\}/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, values[name] ?? 'planted']));
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'linewatch-examples-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('a configuration in the documents', () => {
  const blocks = blocksIn('yaml');

  it('is found', () => expect(blocks.length).toBeGreaterThan(15));

  it.each(blocks.map((block) => [block.at, block] as const))('%s runs', async (_at, { text }) => {
    const fragment = parse(text) as Fragment;
    const folder = folderWith({ 'linewatch.yaml': stringify(whole(fragment)), ...credentialsFor(text) });
    const result = await loadConfig(requestIn(folder, { require: 'run', credentialsDirectory: folder }));
    const notes = told(result).filter((line) => fragment.include === undefined || !line.includes('no file matches'));
    expect(notes).toEqual([]);
    expect(loaded(result).file).toContain('linewatch.yaml');
  });

  it('would not run with a key that there is not', async () => {
    const folder = folderWith({ 'linewatch.yaml': stringify({ ...whole({}), recievers: [] }) });
    const result = await loadConfig(requestIn(folder, { require: 'run', credentialsDirectory: folder }));
    expect(result.ok).toBe(false);
  });

  it('is complete where the README shows one', async () => {
    const text = blocks.find(({ at }) => at.startsWith('README.md'))?.text ?? '';
    const folder = folderWith({ 'linewatch.yaml': text, ...credentialsFor(text) });
    const result = await loadConfig(requestIn(folder, { require: 'run', credentialsDirectory: folder }));
    expect(told(result)).toEqual([]);
    expect(loaded(result).accounts).toHaveLength(1);
  });
});

describe('JSON in the documents', () => {
  const of = (path: string): Block[] => blocksIn('json').filter(({ at }) => at.startsWith(path));

  it('is a history that replays', async () => {
    const histories = of('docs/history.md');
    expect(histories).toHaveLength(2);
    for (const { text, at } of histories) {
      const cwd = folderWith({ 'night.json': text });
      const platform = fakePlatform({ argv: ['replay', 'night.json'], cwd });
      const code = await runCommand(platform, COMMANDS);
      expect({ at, code, err: platform.written().err }).toEqual({ at, code: 0, err: '' });
      expect(platform.written().out).not.toBe('');
    }
  });

  it('is the verdict as the API gives it', async () => {
    await using web = await openWeb();
    await web.running.sweep();
    const [example] = of('docs/api.md').map(({ text }) => JSON.parse(text) as object);
    expect(JSON.parse((await web.ask('/api/verdict')).body)).toEqual(example);
  });

  it('is an event as a webhook sends it', () => {
    const [[example] = []] = of('docs/receivers.md').map(({ text }) => JSON.parse(text) as Record<string, unknown>[]);
    const notice = { state: 'investigating', by: { source: 'provider' }, called: 'Example Telecom', isPlanned: false };
    const part = {
      source: 'provider',
      customer: null,
      phase: 'open',
      phones: null,
      components: ['SIP trunks'],
      toggles: [],
    } as const;
    const [event] = toCloudEvents({ ...opened(), facts: { ...NO_FACTS, notice, parts: [part] } }, 'hq');
    expect(shapeOf(example)).toEqual(shapeOf({ ...event, data: { ...event?.data, details: {} } }));
    expect(example).toMatchObject({ type: event?.type, source: event?.source, subject: event?.subject });
  });

  it('is nowhere else', () => {
    const known = ['docs/history.md', 'docs/api.md', 'docs/receivers.md'].flatMap(of);
    expect(blocksIn('json').filter((block) => !known.includes(block))).toEqual([]);
  });
});

/** The names of all fields, however deep. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

describe('an address in the documents', () => {
  const requests = [...new Set(blocksIn('http').flatMap(({ text }) => text.trim().split('\n')))];

  it('answers', async () => {
    await using web = await openWithPast({ endedMs: 60_000 });
    await web.running.sweep();
    expect(requests.length).toBeGreaterThan(8);
    for (const line of requests) {
      const [, path] = /^GET (\S+)$/.exec(line) ?? [];
      expect(path, line).toBeDefined();
      const { status } = await web.ask(path ?? '');
      expect(`${line}: ${status}`).toBe(`${line}: 200`);
    }
  });

  it('is one of the page, between backticks too', async () => {
    await using web = await openWithPast({ endedMs: 60_000 });
    await web.running.sweep();
    const rows = documents
      .filter(({ path }) => path === 'docs/page.md')
      .flatMap(({ text }) =>
        [...text.matchAll(/^\| (`\/[^|]*) \|/gm)].flatMap(([, cell = '']) => cell.match(/`[^`]+`/g) ?? []),
      );
    const paths = rows.map((cell) => cell.slice(1, -1)).filter((path) => path !== '/alerts/12');
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) expect(`${path}: ${(await web.ask(path)).status}`).toBe(`${path}: 200`);
  });
});

type Verify = (headers: Record<string, unknown>, body: string, secret: string, now?: number) => unknown;

describe('the check of a signature', () => {
  const [code] = blocksIn('js');

  async function sent(secret: string): Promise<{ headers: Record<string, unknown>; body: string }> {
    await using program = await startHttpReceiver();
    const setting = { instance: 'hq', clock: () => NOW, timezone: TIMEZONE, externalUrl: null };
    const receiver = createReceiver({ type: 'webhook', name: 'bus', url: `${program.url}/x`, secret }, setting);
    expect(await receiver.send([opened()], new AbortController().signal)).toMatchObject({ kind: 'delivered' });
    return program.taken[0]!;
  }

  async function verifier(): Promise<Verify> {
    const { verify } = (await import(`data:text/javascript,${encodeURIComponent(code?.text ?? '')}`)) as {
      verify: Verify;
    };
    return verify;
  }

  it.each(['any other text', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'accepts what the webhook sends with %s',
    async (secret) => {
      const [verify, { headers, body }] = [await verifier(), await sent(secret)];
      expect(verify(headers, body, secret, NOW)).toEqual(JSON.parse(body));
    },
  );

  it('refuses another secret, another body and an old request', async () => {
    const [verify, { headers, body }] = [await verifier(), await sent('right')];
    expect(() => verify(headers, body, 'wrong', NOW)).toThrow('wrong signature');
    expect(() => verify(headers, `${body} `, 'right', NOW)).toThrow('wrong signature');
    expect(() => verify({ ...headers, 'webhook-signature': 'v1,' }, body, 'right', NOW)).toThrow('wrong signature');
    expect(() => verify(headers, body, 'right', NOW + 301_000)).toThrow('too old');
    expect(() => verify({}, body, 'right', NOW)).toThrow('too old');
  });
});
