/** A phone that Pushover rings under one leader, and that acknowledges the alert under the next. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpPeer, type HttpPeer } from '../receivers/http-peer.ts';
import { acknowledgeOnPhone, findAskedReceipt, listEmergencies, pushover } from '../receivers/media/pushover.ts';
import { written } from '../receivers/media/room.ts';
import { answerTaken } from '../receivers/media/stand-in.ts';
import { openSite, type Site } from '../support/site.ts';
import { startMember, type Member } from './members.ts';
import { startPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const LEASE = '4s';
const WITHIN_MS = 60_000;

describe.skipIf(whyNoPostgres !== null)(
  `a receipt over a change of leader${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let site: Site;
    let peer: HttpPeer;
    let members: readonly [Member, Member];
    const complaints: string[] = [];

    beforeAll(async () => {
      [postgres, site, peer] = [await startPostgres(), await openSite(), await httpPeer()];
      peer.answer = (response) => {
        const request = peer.received.at(-1)!;
        const refused = pushover.refuses(request);
        if (refused !== null) complaints.push(refused);
        written(answerTaken(pushover, request))(response);
      };
      const phone = { name: 'phone', type: 'http', preset: 'pushover', ...pushover.keys(peer.url) };
      const bus = site.config.receivers.filter(({ name }) => name === 'bus');
      const config = { ...site.config, receivers: [...bus, phone], route: { receivers: ['bus', 'phone'] } };
      const one = await startMember('one', new URL(postgres.url), config, LEASE);
      await one.process.logged('watching');
      members = [one, await startMember('two', new URL(postgres.url), config, LEASE)];
    });

    afterAll(async () => {
      for (const member of members) await member[Symbol.asyncDispose]();
      await peer.close();
      await site[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    });

    const asked = (receipt: string): number =>
      peer.received.filter((request) => findAskedReceipt(request) === receipt).length;

    it('acknowledges the alert, and is not asked for afterwards', { timeout: 4 * WITHIN_MS }, async () => {
      const [one, two] = members;
      site.provider.simulator.status.openNotice({ subject: 'No calls' });
      await expect.poll(() => listEmergencies().length, { timeout: WITHIN_MS }).toBe(1);
      const [receipt = ''] = listEmergencies()[0] ?? [];
      await expect.poll(() => asked(receipt), { timeout: WITHIN_MS }).toBeGreaterThan(0);

      await one.kill();
      const before = asked(receipt);
      acknowledgeOnPhone(receipt);
      const heard = await site.event('alert.acknowledged');
      expect(heard.data).toMatchObject({ alert: { number: 1 } });
      expect(asked(receipt)).toBeGreaterThan(before);
      expect(await two.shows('alert', 'show', '1')).toContain('phone (iphone)');

      // The first member comes back, takes over, and asks only for a newer emergency. It asks for one after the other.
      const questions = asked(receipt);
      await one.start();
      await two.kill();
      site.provider.simulator.status.openNotice({ subject: 'No voicemail' });
      await expect.poll(() => listEmergencies().length, { timeout: WITHIN_MS }).toBe(2);
      const [newer = ''] = listEmergencies()[1] ?? [];
      await expect.poll(() => asked(newer), { timeout: WITHIN_MS }).toBeGreaterThan(1);
      expect(await one.shows('alert', 'show', '1')).toContain('phone (iphone)');
      expect([asked(receipt), complaints]).toEqual([questions, []]);
    });
  },
);
