/** On the page, too, another vendor's page is called by its name: “the provider” is the reader's own. */
import { expect, test } from 'vitest';
import { findAlertInStatus } from '../../src/core/view/build-status.ts';
import { createOwnState } from '../../src/core/engine/self-source.ts';
import { createStatusWorld } from '../support/status-world.ts';
import { renderAlertPage } from '../../src/web/alert/alert-page.ts';
import { renderCalendarFeed } from '../../src/web/data/calendar-feed.ts';
import { MINUTE, paperReceiver, START, startPaperDaemon, virtualClock } from '../support/paper-daemon.ts';
import { knownSource, pageWith } from '../support/system-status.ts';

const HOUR = 60 * MINUTE;

/** What a reader sees, without the line that explains what offline means. */
function textOf(html: string): string {
  return html
    .replaceAll(/<style[\s\S]*?<\/style>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace('Offline means: not registered with the provider.', '');
}

test('what is open there, its story and its planned work', async () => {
  const clock = virtualClock(START);
  const world = (name: string) => createStatusWorld({ clock, name, components: [{ id: 1, name: 'Internet access' }] });
  const [own, carrier] = [world('Own'), world('Carrier')];
  const running = await startPaperDaemon({
    source: own,
    others: { carrier },
    vendors: ['carrier'],
    receivers: [paperReceiver('people', 'people')],
    clock,
  });
  await running.pass(5 * MINUTE);
  carrier.openNotice({ subject: 'Fibre cut', content: 'A digger.', components: ['Internet access'] });
  await running.pass(5 * MINUTE);
  const sources = running.daemon.sources.map(({ name, state }) =>
    knownSource(name, state, clock.now(), name === 'carrier' ? { vendor: true } : {}),
  );
  const facts = {
    instance: 'hq',
    timezone: 'UTC',
    now: clock.now(),
    startedAt: START,
    sources,
    own: createOwnState(),
    receivers: [],
    unsaved: [],
    failed: (_source: string, error: unknown) => {
      throw error;
    },
  };
  await running.stop();
  const { status, story } = findAlertInStatus(facts, 1);
  if (story === null) throw new TypeError('the alert is there');
  const viewer = { name: null, isSignedIn: false, whyNotChange: null, maySignIn: false, customers: null };
  const context = { status, viewer, refreshSeconds: 60 };
  const now = textOf(await pageWith(status));
  expect(now).toContain('Try a call: “carrier” knows of it');
  expect(now).toContain('Open status page');
  const whole = textOf(
    String(
      await renderAlertPage(context, story, null, { trouble: null, form: { by: '', comment: '' }, callers: null }),
    ),
  );
  expect(whole).toContain('Said by “carrier”');
  expect(whole).toContain('“carrier”’s words as they stand there');
  expect(`${now} ${whole}`).not.toMatch(/the provider|provider’s/i);
  const beginsAt = clock.now() + HOUR;
  const work = {
    alert: 'a',
    number: 2,
    source: 'carrier',
    severity: 'info',
    subject: 'Splicing',
    affected: [],
  } as const;
  const when = {
    phase: 'to come',
    beginsAt,
    endsAt: beginsAt + HOUR,
    beganAt: null,
    endedAt: null,
    revision: 0,
    changedAt: START,
  } as const;
  const feed = renderCalendarFeed({
    ...status,
    maintenance: [{ ...work, ...when, affected: [], words: null, url: 'https://a.example/' }],
  });
  expect(feed).toContain('SUMMARY:Maintenance at “carrier”: Splicing');
  expect(feed).not.toMatch(/provider/i);
});
