/** What a database goes through in the hands of its administrator: it is down and comes back, is saved and restored. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../support/site.ts';
import { startMember } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

/** As `linewatch history --json` has it. */
interface Happened {
  id: string;
  kind: string;
  alert: { number: number };
}

describe.skipIf(whyNoPostgres !== null)(
  `a database${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let site: Site;

    beforeAll(async () => {
      [postgres, site] = [await startPostgres(), await openSite()];
      site.config['instance'] = 'hq';
      site.config['database'] = { url: postgres.url, lease: '4s', member: 'first' };
    });

    afterAll(async () => {
      await site[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    function expectNothingTwice(): void {
      const ids = site.events().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }

    const saved = (): string => postgres.sql(`select value from linewatch_document where kind = 'source'`);

    async function happened(): Promise<Happened[]> {
      const { code, out, err } = await site.run('history', '--json');
      expect([code, err]).toEqual([0, '']);
      return JSON.parse(out) as Happened[];
    }

    async function kindsSince(before: readonly unknown[]): Promise<string[]> {
      return (await happened()).slice(before.length).map(({ kind }) => kind);
    }

    it('that comes back is told at once what happened while it was away', async () => {
      const linewatch = await site.start();
      await site.event('source.baseline');
      await postgres.kill();
      const notice = site.provider.simulator.status.openNotice({ subject: 'Calls fail' });
      await site.event('notice.opened');
      await postgres.start();
      const since = performance.now();
      await expect.poll(saved).toContain('Calls fail');
      // A second on a machine at rest, of leases and looks; without them it would be a minute.
      expect(performance.now() - since).toBeLessThan(50_000);
      await expect.poll(async () => (await happened()).map(({ kind }) => kind)).toContain('notice.opened');
      site.provider.simulator.status.closeNotice(notice);
      await site.event('notice.closed');
      linewatch.signal('SIGTERM');
      await linewatch.ended;
      expectNothingTwice();
    });

    it('whose promoted copy lacks the last commits gets them from the member that leads', async () => {
      const { simulator } = site.provider;
      const first = await site.start();
      const notice = simulator.status.openNotice({ subject: 'Lost by the copy' });
      const isOfIt = ({ subject }: { subject: string }): boolean => subject === `notice/${notice}`;
      const closing = simulator.status.openNotice({ subject: 'Closed unknown to the copy' });
      await expect.poll(saved).toContain('Closed unknown to the copy');
      await postgres.failOver(async () => {
        simulator.status.closeNotice(closing);
        await site.event('notice.closed', ({ subject }) => subject === `notice/${closing}`);
        // Until there is nothing left to save, so that no later step saves it by chance.
        let before = '';
        const isQuiet = (): boolean => before === (before = saved());
        await expect.poll(isQuiet, { interval: 10_000 }).toBe(true);
      });
      await first.logged('Another copy of the database was promoted; what this member leads is saved there again');
      const epochs = `select distinct epoch from linewatch_document where kind = 'source'`;
      await expect.poll(() => postgres.sql(epochs)).toBe(postgres.sql('select epoch from linewatch_lease'));
      first.signal('SIGKILL');
      await first.ended;
      const second = await site.start();
      simulator.status.closeNotice(notice);
      await site.event('notice.closed', isOfIt);
      second.signal('SIGTERM');
      await second.ended;
      const closed = site.events().filter(({ type }) => type === 'linewatch.notice.closed');
      expect(closed.filter(({ subject }) => subject === `notice/${closing}`)).toHaveLength(1);
      expectNothingTwice();
    });

    it('shows its history on the page of a member that stands by', async () => {
      const linewatch = await site.start();
      const config = { ...site.config, http: { listen: '127.0.0.1:0' } };
      await using second = await startMember('second', new URL(postgres.url), config, '4s');
      const { url } = await second.process.logged('The page can be looked at');
      const page = await fetch(new URL('/days', String(url)));
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Calls fail')]);
      const opened = (await happened()).find(({ kind }) => kind === 'notice.opened');
      const story = await fetch(new URL(`/alerts/${opened?.alert.number}`, String(url)));
      expect([story.status, await story.text()]).toEqual([200, expect.stringContaining('Calls fail')]);
      linewatch.signal('SIGTERM');
      await linewatch.ended;
    });

    it('has the phones by which a check judges', async () => {
      await using own = await openSite();
      const { accountUrl, token, simulator } = own.provider;
      own.config['instance'] = 'checked';
      own.config['database'] = { url: postgres.url, lease: '4s', member: 'first' };
      own.config['accounts'] = [{ name: 'head-office', base_url: accountUrl, api_key: token }];
      const linewatch = await own.start();
      await own.event('source.baseline', ({ source }) => String(source).endsWith('/head-office'));
      linewatch.signal('SIGTERM');
      await linewatch.ended;
      own.judgePace();
      simulator.accounts.account().world.phones.lose({});
      const { code, out } = await own.run('check', '--json');
      const { accounts } = JSON.parse(out) as { accounts: { phones: { missing: unknown[] } }[] };
      expect(accounts[0]?.phones.missing.length).toBeGreaterThan(2);
      expect(code).toBe(2);
    });

    it('that is saved while it is used, and restored elsewhere, goes on there and nothing is told twice', async () => {
      const linewatch = await site.start();
      const earlier = await happened();
      const notice = site.provider.simulator.status.openNotice({ subject: 'Calls fail once more' });
      await site.event('notice.opened', ({ subject }) => subject === `notice/${notice}`);
      await expect.poll(() => kindsSince(earlier)).toContain('notice.opened');
      await expect.poll(async () => (await site.run('deliveries', 'list')).out).toMatch(/^Nothing/);
      const before = await happened();
      // As docs/two-machines.md says.
      postgres.run('pg_dump', '--format=custom', '--no-owner', '--table=linewatch_*', '--file=linewatch.dump');
      linewatch.signal('SIGTERM');
      await linewatch.ended;

      postgres.run('createdb', 'restored');
      postgres.run('pg_restore', '--no-owner', '--exit-on-error', '--dbname=restored', 'linewatch.dump');
      postgres.sql('drop table linewatch_document, linewatch_lease, linewatch_transition');
      site.config['database'] = { url: new URL('/restored', postgres.url).href, lease: '4s', member: 'first' };
      await site.save();
      site.provider.simulator.status.closeNotice(notice);
      const again = await site.start();
      await site.event('notice.closed', ({ subject }) => subject === `notice/${notice}`);
      await expect.poll(() => kindsSince(before)).toContain('notice.closed');
      again.signal('SIGTERM');
      await again.ended;
      expect((await happened()).slice(0, before.length)).toEqual(before);
      expect(site.events().filter(({ type }) => type === 'linewatch.source.baseline')).toHaveLength(1);
      expectNothingTwice();
    });
  },
);
