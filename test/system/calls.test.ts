/** Calls of an account in PostgreSQL: kept, answered by any member, and one number erased from all of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MissedReport } from '../../src/core/view/standing/calls-view.ts';
import { closedPort } from '../support/http-receiver.ts';
import { openSite, type Site, type SiteConfig } from '../support/site.ts';
import { findZoneAtNoon } from '../support/zone-at-noon.ts';
import { startMember, type Member } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE = '8s';
/** Reads of six reports and two bills, ten seconds apart. */
const READ_MS = 240_000;
const FORGOTTEN = '0491570156';
const KEPT = '0491570737';
const CALLED = '61491571491';
/** Last digits are the same in all forms of a number. */
const DIGITS = { forgotten: '491570156', kept: '491570737', called: '491571491' } as const;

describe.skipIf(whyNoPostgres !== null)(
  `calls in PostgreSQL${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let site: Site;
    let page: string;
    let one: Member;
    let two: Member;

    beforeAll(async () => {
      [postgres, site] = [
        await startPostgres(),
        await openSite({ accounts: [{ extensions: 3, seed: 7, callDays: 0 }] }),
      ];
      placeCalls();
      const { accountUrl, token } = site.provider;
      const account = {
        name: 'acme',
        base_url: accountUrl,
        api_key: token,
        registrations: { interval: '5s' },
        calls: { missed: true, country: '61', billing_timezone: 'UTC' },
        spend: { daily: 1, currency: 'AUD' },
      };
      const receivers = site.config.receivers.filter(({ name }) => name === 'bus');
      const listen = `127.0.0.1:${await closedPort()}`;
      page = `http://${listen}`;
      const config: SiteConfig = {
        ...site.config,
        // The cost of calls is summed by local day.
        timezone: findZoneAtNoon(),
        accounts: [account],
        receivers,
        route: { receivers: ['bus'] },
        log: { level: 'debug' },
      };
      one = await startMember('one', new URL(postgres.url), config, LEASE);
      await one.process.logged('watching');
      two = await startMember('two', new URL(postgres.url), { ...config, http: { listen } }, LEASE);
    });

    afterAll(async () => {
      for (const member of [one, two]) await member[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    function placeCalls(): void {
      const { world } = site.provider.simulator.accounts.account();
      const ended = world.seconds() - 600;
      const missed = { direction: 'incoming', did: '1300555019', rings: ['1001'], waitSeconds: 20 } as const;
      world.placeCall({ ...missed, from: FORGOTTEN, endedAt: ended, voicemail: true, reportedAfter: 0 });
      world.placeCall({ ...missed, from: KEPT, endedAt: ended + 60, reportedAfter: 0 });
      const outgoing = { direction: 'outgoing', extension: '1001', callerId: '61390004100', reportedAfter: 0 } as const;
      const uuid = world.placeCall({ ...outgoing, to: CALLED, talkSeconds: 120, endedAt: ended, billedAfter: 0 });
      world.placeCall({ ...outgoing, to: `61${DIGITS.forgotten}`, talkSeconds: 3, endedAt: ended, billedAfter: 0 });
      world.calls().correct(uuid, { charge: 5 });
    }

    async function missedBy(member: Member): Promise<string[]> {
      const reports = JSON.parse(await member.shows('calls', 'missed', '--since', '1h', '--json')) as MissedReport[];
      return reports.flatMap(({ missed }) => missed.callers.map(({ number }) => number));
    }

    const dump = (): string => postgres.run('pg_dump', '--data-only', '--inserts');

    it('are kept, and any member lists who was missed', async () => {
      await expect.poll(() => missedBy(one), { timeout: READ_MS }).toEqual([FORGOTTEN, KEPT]);
      expect(await missedBy(two)).toEqual([FORGOTTEN, KEPT]);
      const spent = await site.event('spend.limit', ({ data }) => data.to === 100);
      expect(spent.data.details).toMatchObject({ period: 'day', limit: 1 });
      const kept = dump();
      for (const digits of Object.values(DIGITS)) expect(kept).toContain(digits);
    });

    it('are in the history as sums, without a number', async () => {
      const told = (): Promise<string> =>
        postgres.ask("select count(*) from linewatch_transition where kind = 'spend.limit'");
      await expect.poll(told).not.toBe('0');
      const history = postgres.run('pg_dump', '--data-only', '--inserts', '--table', 'linewatch_transition');
      for (const digits of Object.values(DIGITS)) expect(history).not.toContain(digits);
    });

    it('are in no log, metric, status, page or event with a whole number', async () => {
      const paths = [
        '',
        'metrics',
        'days',
        'deliveries',
        'history.csv',
        'alerts/1',
        'api/status',
        'api/alerts',
        'api/alerts/1',
      ];
      const shown = await Promise.all(
        paths.map(async (path) => {
          const answer = await fetch(`${page}/${path}`);
          expect([path, answer.status]).toEqual([path, 200]);
          return await answer.text();
        }),
      );
      const status = await one.shows('status', '--json');
      const logs = [one, two].map(({ process: { out, err } }) => `${out()}\n${err()}`);
      expect(logs.join('')).toContain('"level":"debug"');
      const printed = [...shown, ...logs, status, JSON.stringify(site.events())].join('\n');
      expect(printed).toContain('acme');
      const bare = printed.replace(/(?<=\d)[ -](?=\d)/g, '');
      for (const digits of [...Object.values(DIGITS), '390004100', '300555019']) expect(bare).not.toContain(digits);
    });

    it('lose one number everywhere, and keep the others', async () => {
      // Voice messages are read after the calls, and each report is saved before the next.
      const { log } = site.provider.simulator;
      const readAfterMails = (): boolean => {
        const asked = log.all().map(({ operation }) => operation ?? '');
        const mails = asked.indexOf('voicemail.list');
        return mails !== -1 && asked.slice(mails).some((operation) => /^(?:reports|billing)\./.test(operation));
      };
      await expect.poll(readAfterMails, { timeout: READ_MS }).toBe(true);
      const erased = await two.run('calls', 'forget', '+61 491 570 156', '--json');
      // A missed call, a call to it, and a voice message.
      expect([erased.code, JSON.parse(erased.out)]).toEqual([0, { erased: 3 }]);
      const left = dump();
      expect(left).not.toContain(DIGITS.forgotten);
      expect(left).toContain(DIGITS.kept);
      expect(left).toContain(DIGITS.called);
      expect(await missedBy(one)).toEqual([KEPT]);
    });

    it('do not come back under the next leader, which reads them from the database', async () => {
      const [leads, next] = (await one.shows('member', 'list')).startsWith('one: leading') ? [one, two] : [two, one];
      await leads.kill();
      const { log } = site.provider.simulator;
      await log.next(({ operation }) => operation === 'reports.missed-calls.list');
      await log.next(({ operation }) => operation === 'voicemail.list');
      // Reports are read one after the other, and each is saved before the next.
      await log.next(({ operation }) => /^(?:reports|billing)\./.test(operation ?? ''));
      await expect.poll(() => missedBy(next), { timeout: READ_MS }).toEqual([KEPT]);
      expect(dump()).not.toContain(DIGITS.forgotten);
    });
  },
);
