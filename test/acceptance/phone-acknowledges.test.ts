/** Somebody acknowledges an emergency on the phone, and the alert is acknowledged for everybody, as by a command. */
import { expect, test } from 'vitest';
import { httpPeer } from '../receivers/http-peer.ts';
import { acknowledgeOnPhone, listEmergencies, pushover } from '../receivers/media/pushover.ts';
import { written } from '../receivers/media/room.ts';
import { openSite } from '../support/site.ts';

test('an acknowledgement in Pushover is one of Linewatch', async () => {
  await using site = await openSite();
  const peer = await httpPeer();
  const complaints: string[] = [];
  peer.answer = (response) => {
    const request = peer.received.at(-1);
    if (request === undefined || typeof pushover.taken !== 'function') throw new Error('a request is answered');
    const refused = pushover.refuses(request);
    if (refused !== null) complaints.push(refused);
    written(pushover.taken(request))(response);
  };
  site.config.receivers.push({ name: 'on-call', type: 'http', preset: 'pushover', ...pushover.keys(peer.url) });
  site.config.route = { ...site.config.route, receivers: ['on-call', 'bus'] };
  const linewatch = await site.start();
  await site.event('source.baseline');
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  await site.event('notice.opened');
  await expect.poll(() => listEmergencies().length, { timeout: 10_000 }).toBe(1);
  acknowledgeOnPhone(listEmergencies()[0]?.[0]);
  const { data } = await site.event('alert.acknowledged');
  expect(data.to).toBe('on-call (iphone)');
  expect((await site.command('alert', 'list')).out).toContain('on-call (iphone)');
  expect(linewatch.err()).not.toMatch(/azGDORePK8gMaC0QOYAMyEEuzJnyUi|uQiRzpo4DXghDmr9QzzfQu27cmVRsG/);
  expect(complaints).toEqual([]);
  await peer.close();
});
