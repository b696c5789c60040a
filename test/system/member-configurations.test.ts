/** Members that were given different configurations say so, and a database that was made anew under them is taken up. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site, type SiteConfig } from '../support/site.ts';
import { startMember, type Member } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE = '4s';
const NAME = 'extra';

describe.skipIf(whyNoPostgres !== null)(
  `configurations of members${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let site: Site;
    let one: Member;
    let two: Member;

    /** With a receiver more than the others have. */
    function otherwise({ receivers, ...config }: SiteConfig): SiteConfig {
      const bus = receivers.find(({ name }) => name === 'bus') ?? expect.fail('there is no bus');
      return { ...config, receivers: [...receivers, { ...bus, name: NAME }] };
    }

    const told = (): string[] =>
      site.events().flatMap(({ data }) => (/configuration/.test(String(data.to)) ? [String(data.to)] : []));

    beforeAll(async () => {
      [postgres, site] = [await startPostgres(), await openSite()];
      one = await startMember('one', new URL(postgres.url), site.config, LEASE);
      await one.process.logged('watching');
      two = await startMember('two', new URL(postgres.url), otherwise(site.config), LEASE);
    });

    afterAll(async () => {
      for (const member of [one, two]) await member[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    it('are compared: what differs is in the log and in status, and told once with its end', async () => {
      const { adds, lacks } = await one.process.logged('Another member has another configuration');
      expect([adds, lacks]).toEqual([[`receiver ${NAME}`], []]);
      const listed = async (): Promise<string> => await one.shows('member', 'list');
      expect(await listed()).toMatch(/^two: .*; another configuration: it adds receiver extra$/m);
      await expect.poll(told).toEqual(['two has another configuration than one']);
      await two.configure(site.config);
      two.process.signal('SIGHUP');
      await expect
        .poll(told)
        .toEqual(['two has another configuration than one', 'two has the same configuration again']);
      expect(await listed()).not.toContain('another configuration');
      expect(await postgres.ask('select count(distinct parts) from linewatch_member')).toBe('1');
    });

    it('have no secret in the database', () => {
      const saved = postgres.sql('select parts from linewatch_member');
      expect(saved).toContain('"receiver bus"');
      expect(saved).not.toMatch(/https?:/);
    });

    it('find the tables anew where somebody has dropped all of them', async () => {
      await two.stop();
      const tables = `select string_agg(tablename, ', ') from pg_tables where tablename like 'linewatch_%'`;
      await postgres.ask(`drop table ${await postgres.ask(tables)}`);
      const led = `select coalesce((select holder from linewatch_lease where holder is not null), '')`;
      await expect.poll(() => ledBy(postgres, led)).toMatch(/^one\//);
      const baselines = (): number => site.events().filter(({ type }) => type === 'linewatch.source.baseline').length;
      await expect.poll(baselines).toBe(2);
      const notice = site.provider.simulator.status.openNotice({ subject: 'After it was made anew' });
      await site.event('notice.opened', ({ subject }) => subject === `notice/${notice}`);
    });
  },
);

async function ledBy({ ask }: RealPostgres, statement: string): Promise<string> {
  try {
    return await ask(statement);
  } catch {
    // The tables are not there yet.
    return '';
  }
}
