/**
 * Three members that share the watch of six pages, each with an account, at hosts of their own: each watches two, one that
 * fails is replaced, and what is told is complete, numbered once and told once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProvider, type Provider } from '../../src/simulator/embedded-provider.ts';
import { countBusiestWindow } from '../../src/simulator/request-log.ts';
import { openSite, type CloudEvent, type Site, type SiteConfig } from '../support/site.ts';
import { holdersOfGroups, longestGap, startMember, type Member } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

/** Beside a heavy load, too, a member that lives renews its lease within this. */
const LEASE_MS = 8_000;
const SHARDS = 3;
const PAGES = [1, 2, 3, 4, 5, 6];

describe.skipIf(whyNoPostgres !== null)(`groups${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`, () => {
  let postgres: RealPostgres;
  let site: Site;
  let providers: Provider[];
  let members: Member[];
  let config: SiteConfig;

  beforeAll(async () => {
    [postgres, site] = [await startPostgres(), await openSite()];
    providers = await Promise.all(PAGES.map(() => startProvider()));
    const [page] = site.config.status_pages;
    config = {
      ...site.config,
      status_pages: providers.map(({ statusUrl }, index) => ({
        ...page,
        name: `page-${index + 1}`,
        base_url: statusUrl,
      })),
      accounts: providers.map(({ accountUrl, token }, index) => ({
        name: `acme-${index + 1}`,
        base_url: accountUrl,
        api_key: token,
        status_page: `page-${index + 1}`,
        registrations: { interval: '5s' },
      })),
      receivers: site.config.receivers.filter(({ name }) => name === 'bus'),
      route: { receivers: ['bus'] },
    };
    members = [];
    for (const name of ['one', 'two', 'three']) {
      members.push(await startMember(name, new URL(postgres.url), config, `${LEASE_MS}ms`, SHARDS));
    }
  });

  afterAll(async () => {
    for (const member of members) await member[Symbol.asyncDispose]();
    await Promise.all(providers.map((provider) => provider.close()));
    await site[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  const holders = (): Promise<Record<string, string>> => holdersOfGroups(postgres);

  /** Of all groups but one. */
  function epochs(but: string): Promise<string> {
    return postgres.ask(
      `select name, epoch from linewatch_lease where name like 'group %' and name <> 'group ${but}' order by name`,
    );
  }

  async function evenly(): Promise<void> {
    await expect.poll(async () => new Set(Object.values(await holders())).size).toBe(SHARDS);
  }

  const member = (name: string | undefined): Member => {
    const found = members.find((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no member ${name}`);
    return found;
  };

  /** Numbers of the pages of a group, as a member says. */
  async function pagesOf(group: string): Promise<number[]> {
    const out = await member('one').shows('status', '--json');
    const { members: known } = JSON.parse(out) as { members: { groups: { group: number; sources: string[] }[] } };
    const { sources = [] } = known.groups.find((one) => `${one.group}` === group) ?? {};
    return sources.flatMap((name) => (name.startsWith('page-') ? [Number(name.slice(5))] : []));
  }

  function open(page: number, subject: string): number {
    return providers[page - 1]?.simulator.status.openNotice({ subject }) ?? 0;
  }

  function close(page: number, notice: number): void {
    providers[page - 1]?.simulator.status.closeNotice(notice);
  }

  const isOf =
    (page: number, notice: number) =>
    ({ source, subject }: CloudEvent): boolean =>
      subject === `notice/${notice}` && String(source).endsWith(`/page-${page}`);

  const mostAsked = (): number[] =>
    providers.map(({ simulator }) =>
      countBusiestWindow(
        simulator.log.all().filter(({ operation }) => /^(status|components|notices)\./.test(operation ?? '')),
      ),
    );

  it('share the watch evenly, with what belongs together at one member', async () => {
    await evenly();
    const groups = await Promise.all(['1', '2', '3'].map(pagesOf));
    expect(groups.map((pages) => pages.length)).toEqual([2, 2, 2]);
    const out = await member('two').shows('status');
    expect(out).toMatch(
      /shard 1: led by \w+ \(epoch \d+\), renewed [\d.]+ s ago; acme-\d, acme-\d, page-\d and 1 more/,
    );
    const notices = PAGES.map((page) => open(page, `Trouble at ${page}`));
    const told = await Promise.all(
      PAGES.map((page, index) => site.event('notice.opened', isOf(page, notices[index] ?? 0))),
    );
    const numbers = told.map(({ data }) => data.alert.number);
    expect(new Set(numbers).size).toBe(PAGES.length);
    for (const [index, page] of PAGES.entries()) close(page, notices[index] ?? 0);
    await Promise.all(PAGES.map((page, index) => site.event('notice.closed', isOf(page, notices[index] ?? 0))));
  });

  it('go on with the groups of one that was killed, and tell so; it gets its share when it is back', async () => {
    await evenly();
    const [, [group, name] = ['2', 'two']] = Object.entries(await holders());
    const pages = await pagesOf(group);
    const before = await epochs(group);
    const looks = ({ simulator }: Provider) =>
      simulator.log.all().filter(({ operation }) => operation === 'notices.list');
    const looked = providers.map((provider) => looks(provider).length);
    await member(name).kill();
    const notices = PAGES.map((page) => open(page, `While ${name} is dead`));
    await Promise.all(PAGES.map((page, index) => site.event('notice.opened', isOf(page, notices[index] ?? 0))));
    const gap = (page: number): number =>
      longestGap(looks(providers[page - 1] ?? expect.fail()).slice(Math.max(0, (looked[page - 1] ?? 0) - 1)));
    const unwatchedMs = Math.max(...pages.map(gap));
    const { data } = await site.event(
      'linewatch.state',
      (event) => event.data.to === `${name} is not heard of any more`,
    );
    const after = await epochs(group);
    await member(name).start();
    await evenly();
    expect(data.details['reason']).toMatch(new RegExp(`Shard ${group} \\(.*\\) is led by \\w+ now\\.`));
    // oxlint-disable-next-line no-console -- it is what is asked for
    console.log('unwatched at a kill, ms', Math.round(unwatchedMs));
    // Whoever else watches does not even notice.
    expect(after).toBe(before);
    for (const [index, page] of PAGES.entries()) close(page, notices[index] ?? 0);
    await Promise.all(PAGES.map((page, index) => site.event('notice.closed', isOf(page, notices[index] ?? 0))));
  });

  it('hand over at once where one is stopped', async () => {
    await evenly();
    const [, name] = Object.entries(await holders())[1] ?? [];
    const pages = (
      await Promise.all(
        Object.entries(await holders())
          .filter(([, by]) => by === name)
          .map(([group]) => pagesOf(group)),
      )
    ).flat();
    const asked = providers.map(({ simulator }) => simulator.log.all().length);
    const told = site.events().length;
    await member(name).stop();
    await expect.poll(async () => Object.keys(await holders()).length).toBe(SHARDS);
    await sleep(2_000);
    const gaps = pages.map((page) =>
      longestGap(providers[page - 1]?.simulator.log.all().slice(Math.max(0, (asked[page - 1] ?? 0) - 1)) ?? []),
    );
    // oxlint-disable-next-line no-console -- it is what is asked for
    console.log('unwatched at a clean stop, ms', gaps.map(Math.round));
    await member(name).start();
    await evenly();
    // As the next leader has found it: not for as long as a lease that ends by itself.
    const later = site.events().slice(told);
    expect(later.filter(({ data }) => String(data.to).startsWith('nobody watched'))).toEqual([]);
  });

  it('mute everywhere what is muted on any of them', async () => {
    await evenly();
    const other = member((await holders())['2']);
    const [page = 0] = await pagesOf('2');
    const added = await other.run(
      'silence',
      'add',
      '--match',
      `source=page-${page}`,
      '--for',
      '1h',
      '--comment',
      'known',
    );
    expect(added).toMatchObject({ code: 0 });
    const kept = `select count(*) from linewatch_document where kind like 'instance%' and value like '%"known"%'`;
    await expect.poll(() => postgres.ask(kept)).toBe('3');
  });

  it('take up another division as soon as all have it, and the shards alone that have other sources by it move', async () => {
    await evenly();
    const shards = ['1', '2', '3'];
    const before = await Promise.all(shards.map(pagesOf));
    const [led, held] = [await epochs('1'), await holders()];
    const asked = providers.map(({ simulator }) => simulator.log.all().length);
    const fewer = { ...config, accounts: (config['accounts'] as unknown[]).slice(1) };
    for (const one of members) await one.configure(fewer);
    const [last, ...others] = members;
    const wait = 'The new configuration divides the sources otherwise: it is taken up as soon as every member has it';
    for (const { process } of others) {
      process.signal('SIGHUP');
      await process.logged(wait);
    }
    expect([await epochs('1'), await holders()]).toEqual([led, held]);
    last?.process.signal('SIGHUP');
    await Promise.all(members.map((one) => one.process.logged('The configuration was read again')));
    await evenly();
    const after = await Promise.all(shards.map(pagesOf));
    const isSame = (index: number): boolean => before[index]?.join() === after[index]?.join();
    // By the hashes of their names: the first moves whatever changes.
    expect(shards.filter((_shard, index) => isSame(index))).toEqual(['2']);
    const ofTwo = (all: string): string | undefined => all.split('\n').find((row) => row.startsWith('group 2|'));
    expect([ofTwo(await epochs('1')), (await holders())['2']]).toEqual([ofTwo(led), held['2']]);
    expect(await epochs('2')).not.toBe(led);
    await sleep(2_000);
    const gaps = providers.map(({ simulator }, index) =>
      longestGap(simulator.log.all().slice(Math.max(0, (asked[index] ?? 0) - 1))),
    );
    // oxlint-disable-next-line no-console -- it is what is asked for
    console.log('unwatched at another division, ms', gaps.map(Math.round), 'pages that stay', before[1]);
    const [page = 1] = await pagesOf('3');
    const notice = open(page, 'After it');
    const { data } = await site.event('notice.opened', isOf(page, notice));
    expect(data.alert.status).toBe('open');
    close(page, notice);
    await site.event('notice.closed', isOf(page, notice));
  });

  it('number alerts once, tell once, and never ask an origin too often', () => {
    const events = site.events();
    const opened = events.filter(({ type }) => type === 'linewatch.notice.opened');
    const alerts = new Map(opened.map(({ data }) => [data.alert.number, data.alert.id]));
    expect(alerts.size).toBe(new Set(opened.map(({ data }) => data.alert.id)).size);
    const ids = events.map(({ id }) => id);
    // What was in flight at the kill.
    expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(3);
    expect(Math.max(...mostAsked())).toBeLessThanOrEqual(5);
  });
});
