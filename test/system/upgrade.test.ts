/** Two versions side by side: the newer goes on with what the older knows, and the older never leads after it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../support/site.ts';
import { startMember, type Member } from './members.ts';
import { newerBuild, type NewerBuild } from './newer-build.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE_MS = 4_000;

describe.skipIf(whyNoPostgres !== null)(
  `versions side by side${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let site: Site;
    let newer: NewerBuild;
    const members: Member[] = [];

    beforeAll(async () => {
      [postgres, site, newer] = [await startPostgres(), await openSite(), await newerBuild()];
      const receivers = site.config.receivers.filter(({ name }) => name === 'bus');
      const config = { ...site.config, receivers, route: { receivers: ['bus'] } };
      for (const name of ['one', 'two']) {
        members.push(await startMember(name, new URL(postgres.url), config, `${LEASE_MS}ms`));
      }
    });

    afterAll(async () => {
      for (const member of members) await member[Symbol.asyncDispose]();
      newer[Symbol.dispose]();
      await site[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    const leader = (): Promise<string> =>
      postgres.ask(
        `select coalesce(split_part(holder, '/', 1), '') from linewatch_lease where expires_at > clock_timestamp()`,
      );
    const leads = async (name: string): Promise<void> => await expect.poll(leader).toBe(name);
    const about = (id: number): { type: string; number: unknown }[] =>
      site
        .events()
        .filter(({ subject }) => subject === `notice/${id}`)
        .map(({ type, data }) => ({ type, number: data.alert.number }));

    it('go on without a gap, and only upwards', async () => {
      const [one, two] = members;
      if (one === undefined || two === undefined) throw new Error('unreachable');
      const { simulator } = site.provider;
      await leads('one');
      await site.event('source.baseline');
      const id = simulator.status.openNotice({ subject: 'Calls fail' });
      await site.event('notice.opened');

      // The one that stands by first.
      await two.stop();
      await two.start(newer.program);
      await sleep(LEASE_MS);
      expect(await leader()).toBe('one');
      await one.stop();
      await leads('two');
      simulator.status.closeNotice(id);
      await site.event('notice.closed', ({ subject }) => subject === `notice/${id}`);
      const { data } = await site.event('linewatch.leader', (event) => event.data.to === 'two');
      expect(data.details['reason']).toBe('one was stopped and handed over.');
      const [opened, closed] = about(id);
      expect(about(id)).toHaveLength(2);
      expect(closed).toEqual({ type: 'linewatch.notice.closed', number: opened?.number });
      const baselines = site.events().filter(({ type }) => type === 'linewatch.source.baseline');
      expect(baselines).toHaveLength(1);
      expect(await postgres.ask('select distinct schema from linewatch_document where value like $$%newer%$$')).toBe(
        '3',
      );

      // The older comes back, and stands by for nothing.
      await one.start();
      await one.process.logged('A newer Linewatch has led: this one cannot read what it writes, and never leads again');
      // What it is asked reaches the newer all the same.
      const silence = [
        'silence',
        'add',
        '--match',
        'source=provider',
        '--for',
        '1h',
        '--comment',
        'asked of the older',
      ];
      expect(await one.run(...silence)).toMatchObject({ code: 0 });
      expect(
        await postgres.ask(`select count(*) from linewatch_document where value like '%asked of the older%'`),
      ).toBe('1');
      const [muted = ''] = (await two.shows('silence', 'list')).split(' ');
      expect(await one.run('silence', 'expire', muted)).toMatchObject({ code: 0 });
      await two.kill();
      await sleep(3 * LEASE_MS);
      expect(await leader()).toBe('');
      expect(await postgres.ask(`select standing from linewatch_member where name = 'one'`)).toBe('too old');
      await one.stop();
      await one.start(newer.program);
      await leads('one');
      const again = simulator.status.openNotice({ subject: 'Calls fail again' });
      await site.event('notice.opened', ({ subject }) => subject === `notice/${again}`);
      expect(about(again)).toHaveLength(1);
    });
  },
);
