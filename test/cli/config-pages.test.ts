/** Pages of other vendors on the command line: what an address is, and what is written of it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { KNOWN_PAGES } from '../../src/pages/known-pages.ts';
import { PAGE_TYPE_NAMES, type VendorTypeName } from '../../src/pages/types.ts';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { fakePlatform } from '../support/platform.ts';
import { cases } from '../support/runs.ts';
import { startVendorHost, type HostReaction, type VendorHost } from '../support/vendor-host.ts';

const TYPES = PAGE_TYPE_NAMES.filter((name): name is VendorTypeName => name !== 'provider');

let cwd: string;
const open: AsyncDisposable[] = [];

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'config-pages-'));
});
afterEach(async () => {
  rmSync(cwd, { recursive: true });
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

async function host(to: (path: string) => HostReaction | undefined): Promise<VendorHost> {
  const started = await startVendorHost(to);
  open.push(started);
  return started;
}

/** Where a page of this type answers, on which something is open. */
async function pageOf(type: VendorTypeName): Promise<string> {
  const components = Array.from({ length: 12 }, (_, index) => ({ name: `Voice ${index}` }));
  const scenario = { name: 'a page', steps: [], world: { page: { name: 'Carrier One' }, components } };
  const provider = await startProvider({ as: type, scenario });
  open.push({ [Symbol.asyncDispose]: () => provider.close() });
  provider.simulator.status.openNotice({ subject: 'Errors', components: ['Voice 0'] });
  return provider.statusUrl;
}

/** An address at which nobody answers. */
async function nowhere(): Promise<string> {
  const gone = await startVendorHost(() => undefined);
  await gone[Symbol.asyncDispose]();
  return gone.url;
}

async function run(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const env = { LINEWATCH_CONFIG: join(cwd, 'linewatch.yaml') };
  const platform = fakePlatform({ argv, cwd, env, typed: '' });
  const exit = await runCommand(platform, COMMANDS);
  return { exit, ...platform.written() };
}

describe('config detect', () => {
  it('says what it is, how that is known, its components, and the lines to write', async () => {
    const url = await pageOf('statuspage');
    expect(await run('config', 'detect', `${url}/api/v2/summary.json`)).toEqual({
      exit: 0,
      err: '',
      out: `${url} is a Statuspage: /api/v2/summary.json answers in that form
page: Carrier One, degraded
12 components: ${Array.from({ length: 10 }, (_, index) => `Voice ${index}`).join(', ')}, and 2 more

status_pages:
  - name: carrier-one
    type: statuspage
    base_url: ${url}
`,
    });
  });

  it('takes an address without its scheme, and says where it leads', async () => {
    const url = await pageOf('instatus');
    const old = await host(() => ({ status: 302, headers: { location: url } }));
    const { out } = await run('config', 'detect', old.url.replace('http://', ''));
    expect(out).toContain(`${url} is a page of Instatus: /summary.json answers in that form\n${old.url} leads there\n`);
  });

  it('says why an address is none, in one line where nobody answers, else by type', async () => {
    const gone = await nowhere();
    expect(await run('config', 'detect', gone)).toMatchObject({
      exit: 1,
      err: `linewatch: ${gone}: it cannot be reached: the connection was refused\n`,
    });
    const { url } = await host(() => ({ headers: { 'content-type': 'text/html' }, body: '<html>' }));
    const { exit, err } = await run('config', 'detect', url);
    expect(exit).toBe(1);
    expect(err.split('\n')).toEqual([
      `linewatch: ${url} is no kind of page that is known. It was asked as:`,
      expect.stringMatching(/^  provider, statuspage, .*: it answered with text\/html where JSON was expected$/),
      '  feed: it answered with text/html where a feed was expected',
      expect.stringContaining('RSS or Atom feed'),
      '',
    ]);
  });

  it('names a system that it cannot read, and what can be watched of it', async () => {
    const html = (text: string): HostReaction => ({ headers: { 'content-type': 'text/html' }, body: text });
    const hund = await host(() => html('<script src="//libraries.hund.io/status-js/status-3.5.0.js"></script>'));
    const { exit, err } = await run('config', 'detect', hund.url);
    expect(exit).toBe(1);
    expect(err).toContain(
      `linewatch: ${hund.url} is a page of Hund, which cannot be watched: its interface is a lasting stream of events, ` +
        'and no feed of it is known. It was asked as:\n',
    );
    const body = '<rss version="2.0"><channel><title>Carrier</title></channel></rss>';
    const feed = { headers: { 'content-type': 'application/rss+xml' }, body };
    const kuma = await host((path) =>
      path === '/status/voice/rss' ? feed : html('<script>window.preloadData = {}</script>'),
    );
    const found = await run('config', 'detect', `${kuma.url}/status/voice`);
    expect(found).toMatchObject({ exit: 0, err: '' });
    expect(found.out).toContain(
      'The page is one of Uptime Kuma: its feed, since version 2, has the monitors that are down',
    );
    expect(found.out).toContain(`    type: feed\n    base_url: ${kuma.url}/status/voice/rss\n`);
  });

  it.each([
    ['twilo', 2, 'did you mean "twilio"?'],
    ['ftp://status.example.com', 2, 'is neither an address such as https://status.example.com nor a known name'],
    ['https://me:planted@status.example.com', 2, 'must not hold a name or password'],
    ['RingCentral', 1, 'RingCentral cannot be watched: it has a page of its own'],
  ])('refuses %s', async (given, exit, why) => {
    const refused = await run('config', 'detect', given);
    expect(refused).toMatchObject({ exit, out: '', err: expect.stringContaining(why) as string });
    expect(refused.err).not.toContain('planted');
  });
});

describe('config init', () => {
  it.each(TYPES)('writes what it found out of a page of type %s, for config check to take', async (type) => {
    const page = await pageOf(type);
    const given = await run('config', 'init', '--page', page, '--account', 'https://api.example.com');
    expect(given).toMatchObject({ exit: 0, err: '' });
    const text = readFileSync(join(cwd, 'linewatch.yaml'), 'utf8');
    expect(text).toContain(`    type: ${type}\n    base_url: ${page}\n`);
    const [, name] = /status_pages:\n  - name: (.+)\n/.exec(text) ?? [];
    expect(text).toContain(`    status_page: ${name}\n`);
    expect(text.includes('components:\n      include: []\n    # include: the products and regions')).toBe(
      type === 'aws' || type === 'google-cloud',
    );
    expect((await run('config', 'check')).exit).toBe(0);
  });

  it('writes the products and regions that are named', async () => {
    const url = await pageOf('google-cloud');
    const some = await run('config', 'init', '--page', url);
    expect(some.out).toContain(
      'its rows are of all products and regions: name yours in components.include; in the news now: us-east1 and Voice 0',
    );
    rmSync(join(cwd, 'linewatch.yaml'));
    const { out } = await run('config', 'init', '--page', url, '--include', 'us-east1', '--include', 'Voice 0');
    expect(out).not.toContain('name yours');
    const text = readFileSync(join(cwd, 'linewatch.yaml'), 'utf8');
    expect(text).toContain('      include:\n        - us-east1\n        - Voice 0\n');
    expect(await run('config', 'init', '--include', 'x', '--config', 'y.yaml')).toMatchObject({ exit: 2 });
  });

  it('says of a page that cannot be read now what is written instead', async () => {
    const gone = await nowhere();
    const { exit, out } = await run('config', 'init', '--page', gone, '--timezone', 'Australia/Melbourne');
    expect(exit).toBe(0);
    expect(out).toContain(
      `${gone}: it cannot be reached: the connection was refused\nIt is written as the provider's page; ` +
        `once it answers, "linewatch config detect ${gone}" says what it is.\nWrote linewatch.yaml.\n`,
    );
    expect(readFileSync(join(cwd, 'linewatch.yaml'), 'utf8')).toContain(`  - name: provider\n    base_url: ${gone}\n`);
  });

  it('prints only the configuration, and what there is to say of it elsewhere', async () => {
    const url = await pageOf('betterstack');
    const { out, err } = await run('config', 'init', '--print', '--page', url);
    expect(out).toMatch(/^#[^]*\nstatus_pages:\n  - name: carrier-one\n    type: betterstack\n/);
    expect(err).toBe(`${url} is a page of Better Stack.\n`);
  });
});

describe('config check', () => {
  function write(pages: readonly Record<string, unknown>[]): void {
    writeFileSync(join(cwd, 'linewatch.yaml'), stringify({ status_pages: pages }));
  }

  it.each([
    ['aws', 'us-east-1 (N. Virginia)', 'Amazon EC2', 'Amazon*'],
    ['google-cloud', 'us-east1', 'Voice 0', 'Voice*'],
  ] as const)('counts the rows of %s where nobody has chosen of them', async (type, region, product, glob) => {
    const url = await pageOf(type);
    write([{ name: 'cloud', type, base_url: url }]);
    const { exit, err } = await run('config', 'check');
    expect(exit).toBe(0);
    expect(err).toMatch(
      /^warning: status page cloud: components\.include is missing: every row of it counts \(1 now\), of all products and regions; name yours \(among them now: /,
    );
    expect(err).toContain(region);
    for (const include of [region, product, glob, `${region}: ${glob}`]) {
      write([{ name: 'cloud', type, base_url: url, components: { include: [include] } }]);
      expect(await run('config', 'check')).toMatchObject({ exit: 0, err: '' });
    }
  });

  it('says of each page that is of another type which one it is', { timeout: 60_000 }, async () => {
    const addresses = new Map<string, string>();
    for (const type of TYPES) addresses.set(type, await pageOf(type));
    const provider = await startProvider();
    open.push({ [Symbol.asyncDispose]: () => provider.close() });
    addresses.set('provider', provider.statusUrl);
    for (const said of cases(TYPES, 4)) {
      write(
        [...addresses].map(([type, base]) => ({
          name: `is-${type}`,
          type: said,
          base_url: base,
          components: { include: ['*'] },
        })),
      );
      const { err } = await run('config', 'check');
      const told = err
        .split('\n')
        .flatMap(
          (line) => /status page is-(.+): this address answers like .*: set `type: (.+)`$/.exec(line)?.slice(1) ?? [],
        );
      const expected = [...addresses.keys()].flatMap((type) => (type === said ? [] : [type, type]));
      expect(told, said).toEqual(expected);
    }
  });

  it('asks nothing of the provider: a daemon may be asking it as often as it allows', async () => {
    const provider = await startProvider();
    open.push({ [Symbol.asyncDispose]: () => provider.close() });
    write([{ name: 'provider', base_url: provider.statusUrl }]);
    expect(await run('config', 'check')).toMatchObject({ exit: 0, err: '' });
    expect(provider.simulator.log.all()).toEqual([]);
  });

  it('says what is chosen and is not there, and what could not be read', async () => {
    const url = await pageOf('statuspage');
    const gone = await nowhere();
    write([
      {
        name: 'carrier',
        type: 'statuspage',
        base_url: url,
        components: { include: ['Voise 1', 'Voice 2'], exclude: ['SMS*'] },
      },
      { name: 'gone', type: 'feed', base_url: `${gone}/feed.atom` },
    ]);
    const { exit, out, err } = await run('config', 'check');
    expect({ exit, err: err.replaceAll(/.*(receivers|route) .*\n/g, '') }).toEqual({ exit: 0, err: '' });
    expect(out).toContain(
      'note: status page carrier: components.include: "Voise 1" names none of its 12 components; did you mean "Voice 1"',
    );
    expect(out).toContain('note: status page carrier: components.exclude: "SMS*" names none of its 12 components');
    expect(out).not.toContain('"Voice 2"');
    expect(out).toContain(
      'note: status page gone: it could not be read: it cannot be reached: the connection was refused',
    );
  });

  it('knows the addresses of well-known vendors, where nobody answers', async () => {
    const [known] = KNOWN_PAGES;
    const at = known?.page?.url ?? '';
    // A proxy that is not there stands between: nothing leaves this machine.
    const env = { LINEWATCH_CONFIG: join(cwd, 'linewatch.yaml'), HTTPS_PROXY: await nowhere() };
    write([
      { name: 'a', base_url: at },
      { name: 'b', type: 'statuspage', base_url: at },
    ]);
    const platform = fakePlatform({ argv: ['config', 'check'], cwd, env });
    expect(await runCommand(platform, COMMANDS)).toBe(0);
    const { out, err } = platform.written();
    expect(err).toContain(
      'status page a: this is the address of Twilio, whose page is of another type: set `type: statuspage`',
    );
    expect(out).toContain('note: status page b: it could not be read: ');
  });

  it('asks nothing where it is to read the files only, and refuses a wrong one all the same', async () => {
    const asked: string[] = [];
    const page = await startVendorHost((path) => {
      asked.push(path);
      return undefined;
    });
    open.push(page);
    write([{ name: 'a', type: 'slack', base_url: page.url }]);
    expect(await run('config', 'check', '--offline')).toMatchObject({ exit: 0, err: '' });
    expect(asked).toEqual([]);
    await run('config', 'check');
    expect(asked).not.toEqual([]);
    write([{ name: 'a', type: 'slack', base_url: page.url, interval: 'soon' }]);
    const wrong = await run('config', 'check', '--offline');
    expect(wrong.exit).toBe(2);
    expect(wrong.err).toContain('soon');
  });

  it('says with the first request whom to ask who asks', async () => {
    const agents: (string | undefined)[] = [];
    const { url } = await host(() => ({ status: 404 }));
    const page = await startVendorHost((_, { 'user-agent': agent }) => {
      agents.push(agent);
      return undefined;
    });
    open.push(page);
    const file = {
      contact: 'ops@example.com',
      status_pages: [
        { name: 'a', type: 'slack', base_url: page.url },
        { name: 'b', base_url: url },
      ],
    };
    writeFileSync(join(cwd, 'linewatch.yaml'), stringify(file));
    await run('config', 'check');
    expect(new Set(agents)).toEqual(new Set(['linewatch/1.2.3 (+ops@example.com)']));
  });
});

describe('check', () => {
  async function check(type: VendorTypeName, base: string): Promise<{ exit: number; out: string; err: string }> {
    writeFileSync(join(cwd, 'linewatch.yaml'), stringify({ status_pages: [{ name: 'page', type, base_url: base }] }));
    return await run('check');
  }

  it('says of a feed that it was read, though it shows no state of the page', async () => {
    const body = '<rss version="2.0"><channel><title>Carrier</title></channel></rss>';
    const { url } = await host(() => ({ headers: { 'content-type': 'application/rss+xml' }, body }));
    expect(await check('feed', `${url}/history.rss`)).toEqual({
      exit: 0,
      out:
        'OK: page: read, shows no state of the page as a whole, no components known | operational=U\n' +
        'OK page: read, shows no state of the page as a whole; no components known\n',
      err: '',
    });
  });

  it('says of a page that could not be read that it was not', async () => {
    const { url } = await host(() => ({ status: 500 }));
    const { exit, out } = await check('feed', `${url}/history.rss`);
    expect(exit).toBe(3);
    expect(out).toContain('UNKNOWN page: not read; no components known\n  could not be read: ');
  });
});
