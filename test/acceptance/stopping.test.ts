/** SIGTERM ends the daemon in an orderly way, whoever it is waiting for. */
import { expect, test } from 'vitest';
import { GRACE_MS } from '../../src/daemon/loop/daemon.ts';
import { openSite } from '../support/site.ts';

const AT_MOST_MS = 10_000;

test.concurrent('stops at once when nothing is in flight', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await site.mailbox.takes(1);
  const asked = performance.now();
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0, signal: null, out: '' });
  // What is in flight would be given as long.
  expect(performance.now() - asked).toBeLessThan(GRACE_MS);
  expect(linewatch.log().at(-1)).toMatchObject({ msg: 'stopped' });
});

test.concurrent('stops while the provider does not answer', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await site.event('source.baseline');
  site.provider.simulator.faults.add({ fault: { kind: 'hang' } });
  await site.provider.simulator.log.next();
  const asked = performance.now();
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0, signal: null });
  expect(performance.now() - asked).toBeLessThan(AT_MOST_MS);
});

// It waits for the receiver as long as it may, which is eight seconds.
test.concurrent('stops while a receiver does not answer, and sends it again after the next start', async () => {
  await using site = await openSite();
  const first = await site.start();
  await site.slack.takes(1);
  site.slack.react('hang');
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  const hung = await site.slack.gets('the message that hangs', ({ body }) => body.includes('Calls fail'));
  await site.event('notice.opened');
  const asked = performance.now();
  first.signal('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0, signal: null });
  expect(performance.now() - asked).toBeLessThan(AT_MOST_MS);

  site.slack.react({ status: 200, body: 'ok' });
  await site.start();
  const [, again] = await site.slack.takes(2);
  expect(again?.body).toContain('Calls fail');
  expect(again?.body.length).toBeGreaterThan(hung.body.length / 2);
});

test.concurrent('a second Ctrl-C does not make it end otherwise than in order', async () => {
  await using site = await openSite();
  const linewatch = await site.start();
  await site.event('source.baseline');
  linewatch.signal('SIGINT');
  expect(await linewatch.ended).toMatchObject({ code: 0, signal: null });
});
