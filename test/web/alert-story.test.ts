/** The whole story of an alert: while it is open, and when only the history knows of it. */
import { expect, test } from 'vitest';
import type { Silence } from '../../src/core/alert/silence.ts';
import type { TransitionRecord } from '../../src/core/history/record.ts';
import type { Setting } from '../../src/core/wording/wording.ts';
import { recordedFall } from '../support/recorded-history.ts';
import { API } from '../../src/web/data/api-schemas.ts';
import type { AlertStory } from '../../src/core/history/rows.ts';
import { LATE_AFTER_MS, tallyDeliveries } from '../../src/core/report/delivery-times.ts';
import { buildAlertHistory, buildStoryFromHistory } from '../../src/core/view/story/alert-history.ts';
import type { SystemStatus } from '../../src/core/view/system-status.ts';
import type { Story } from '../../src/core/view/story/story.ts';
import { readStory } from '../../src/core/view/story/known-story.ts';
import { renderNotified } from '../../src/web/alert/alert-story.ts';
import { openWeb } from './open-web.ts';
import { openWithPast } from './past.ts';

const HOUR = 3_600_000;

/** What is said between the tags, as somebody reads it. */
function textOf(body: string): string {
  return body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('a link in a mail of weeks ago leads to its story, with the words of then', async () => {
  await using web = await openWithPast();
  const { status, body } = await web.ask('/alerts/103');
  expect(status).toBe(200);
  const text = textOf(body);
  expect(text).toMatch(/Was critical #103 Hosted PBX outage Over: 14 phones were offline/);
  expect(text).toMatch(/Trouble: Hosted PBX outage.*We see it too, and look into it\./);
  expect(text).toMatch(/What happened.*Over after 5 h.*Resolved: Hosted PBX outage.*It works again\./);
  expect(body).not.toContain('<img');
  expect(text).toMatch(/2 messages .*ops-mail, ops-slack.*0\.4 s/);
  const none = await web.ask('/alerts/999');
  expect([none.status, none.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(textOf(none.body)).toContain('No alert #999');
  expect(none.body).toContain('href="../days"');
});

test('what it cost in phones is a curve with text in it, and a table', async () => {
  await using web = await openWithPast();
  const { body } = await web.ask('/alerts/104');
  const text = textOf(body);
  expect(text).toContain('14 of 40 phones offline at most');
  expect(text).toMatch(/Most at once 14 of 40 .*Lost in all 56 h of phone time/);
  expect(body).toMatch(/<svg class="curve" role="img" aria-label="14 of 40 phones offline at most/);
  expect(text).toMatch(/began \d\d:\d\d.*over \d\d:\d\d/);
  expect(text).toMatch(/26 of 40 14 Richmond 14 of 20/);
});

test('every version of the provider’s words stays, with what was rewritten and who has it', async () => {
  await using web = await openWeb();
  const { running, provider, kept } = web;
  const { status } = provider.simulator;
  await running.sweep();
  const notice = status.openNotice({ subject: 'Calls fail', content: 'Victoria is hit.', components: ['SMS'] });
  await running.sweep();
  status.updateNotice(notice, {
    subject: 'Calls and SMS fail',
    state: 'identified',
    content: 'A <b>cable</b> was cut in Victoria today.',
  });
  await running.sweep();
  status.editUpdate(notice, -1, 'A <b>cable</b> was cut in Tasmania today.');
  await running.sweep();
  const token = new URLSearchParams({ by: 'Priya', comment: 'on the phone' }).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  await web.ask('/alerts/1', { method: 'POST', headers: form, body: token });
  await running.sweep();
  await kept.history.flush();
  await kept.history.flush();
  const { body } = await web.ask('/alerts/1');
  const text = textOf(body);
  // The latest comes first.
  const happened = text.slice(text.indexOf('What happened'));
  expect(happened).toMatch(/Priya has it.*“Calls fail” is now “Calls and SMS fail”.*Victoria is hit\./);
  expect(happened).toContain('cut in Victoria today.');
  expect(body).toMatch(/cut in <del>Victoria <\/del><ins>Tasmania <\/ins>today\./);
  expect(text).toMatch(/Acknowledged by Priya at .*/);
  const story = API['alerts/{number}'].schema.parse(JSON.parse((await web.ask('/api/alerts/1')).body));
  expect(story.history?.events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['notice.opened', 'notice.subject', 'notice.edited', 'alert.acknowledged']),
  );
  expect(story.history?.messages.length).toBeGreaterThan(2);
  expect(story.acknowledged?.by).toBe('Priya');
});

test('without a history the story is told as far as it is remembered', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  await running.sweep();
  provider.simulator.status.openNotice({ subject: 'Calls fail', content: 'We look.', components: ['SMS'] });
  await running.sweep();
  const text = textOf((await web.ask('/alerts/1')).body);
  expect(text).toMatch(/What happened .*We look\./);
  expect(text).toContain('the history has nothing of it');
});

test('a row of the history that nobody can read leaves what is remembered', async () => {
  const status = { timezone: 'UTC', sources: [], now: 0 } as unknown as SystemStatus;
  const nothing = {
    alerts: [],
    transitions: [],
    carried: [],
    deliveries: [],
    phones: [],
    silences: [],
  } as unknown as AlertStory;
  const story = { number: 103, status: 'open', affected: [], silences: [] } as unknown as Story;
  const failed: string[] = [];
  const ask = (kept: AlertStory): ReturnType<typeof readStory> =>
    readStory(
      {
        alert: () => ({ status, story, labelsOf: () => ({}) }),
        history: { story: () => Promise.resolve(kept) },
        failed: (what) => failed.push(what),
      },
      103,
    );
  expect(await ask({ ...nothing, transitions: [{ transition: null }] as never })).toEqual({
    status,
    story,
    history: null,
    unread: null,
  });
  expect(failed).toEqual(['the history of alert #103']);
  expect(await ask(nothing)).toMatchObject({ story, history: { moments: [] } });
});

test('one of which only the history knows is shown as far as it can be read', async () => {
  const status = { timezone: 'UTC', sources: [], now: 0 } as unknown as SystemStatus;
  const row = { id: 'a', number: 7, severity: 'warning', title: 'Calls fail', status: 'resolved', source: 'provider' };
  const kept = {
    alerts: [{ ...row, startedAt: 1, openedAt: 2, resolvedAt: 3 }],
    deliveries: [],
    phones: [],
    carried: [],
    silences: [],
  };
  const transition = { id: 't', at: 2, source: 'provider', kind: 'notice.opened', subject: 'notice/7' };
  const transitions = [{ transition: { ...transition, details: { updates: [] } }, status: 'open', alert: row }];
  const failed: string[] = [];
  const shown = await readStory(
    {
      alert: () => ({ status, story: null, labelsOf: () => ({}) }),
      history: { story: () => Promise.resolve({ ...kept, transitions } as unknown as AlertStory) },
      failed: (what) => failed.push(what),
    },
    7,
  );
  expect(shown).toMatchObject({ story: { number: 7, title: 'Calls fail', endedAt: 3 }, history: null });
  expect(failed).toHaveLength(1);
});

test('a message that went out before it was due is told at its time, and not late', () => {
  const delivery = { id: 'd', receiver: 'mail', message: 'm', source: 'provider', alert: 'a', number: 7, detail: '' };
  const times = { at: 50_000, dueAt: 120_000, promisedAt: 40_000, outcome: 'delivered', reminder: 0 };
  const deliveries = [{ ...delivery, ...times, recipients: [], transitions: ['t'] }];
  const past = {
    alerts: [],
    transitions: [],
    carried: [],
    phones: [],
    silences: [],
    deliveries,
  } as unknown as AlertStory;
  const { messages } = buildAlertHistory(past, SETTING, () => ({}));
  expect(messages).toMatchObject([{ at: 50_000, receivers: [{ receiver: 'mail', afterMs: 0 }] }]);
});

const SETTING: Setting = { timezone: 'UTC', now: 200_000, names: () => null, customer: () => null };

test('an alert that is over for weeks tells which silences muted it, from when and until when', async () => {
  await using web = await openWithPast();
  const began = web.outageAt;
  const silence = (id: string, matchers: Silence['matchers'], from: number, until: number): Silence => ({
    id,
    matchers,
    from,
    until,
    comment: `why <b>${id}</b>`,
    createdAt: from,
    expiredAt: null,
  });
  const silences = [
    silence('before', { source: ['provider'] }, began - HOUR, began + HOUR),
    silence('within', { kind: ['notice.opened'] }, began + 2 * HOUR, began + 3 * HOUR),
    silence('other', { source: ['acme'] }, began, began + HOUR),
    silence('later', { source: ['provider'] }, began + 6 * HOUR, began + 7 * HOUR),
  ];
  web.kept.history.committed('linewatch', {
    at: began,
    states: null,
    phones: null,
    alerts: [],
    unrecorded: [],
    silences,
  });
  await web.kept.history.flush();
  const { body } = await web.ask('/alerts/103');
  const text = textOf(body);
  expect(text).toMatch(/Silenced kind=notice\.opened .*Silence before ended .*Silenced provider: anything before /);
  expect(text).not.toMatch(/Silence (?:other|later) ended/);
  expect(body).toContain('why &lt;b&gt;within&lt;/b&gt;');
  const story = API['alerts/{number}'].schema.parse(JSON.parse((await web.ask('/api/alerts/103')).body));
  expect(story.history?.silences).toMatchObject([
    { id: 'before', matchers: { source: ['provider'] }, until: new Date(began + HOUR).toISOString() },
    { id: 'within', comment: 'why <b>within</b>' },
  ]);
  expect(story.silences).toEqual(['before', 'within']);
});

test('of an alert that has worsened since somebody took it nobody had it', () => {
  const ofAlert = (severity: 'warning' | 'critical') => ({ id: 'a', number: 7, severity, title: 'Calls fail' });
  const told = (at: number, severity: 'warning' | 'critical', more: object = {}): TransitionRecord => ({
    ...recordedFall(`t${at}`, at, more),
    status: 'update',
    alert: ofAlert(severity),
  });
  const details = { number: 7, title: 'Calls fail', comment: 'on the phone' };
  const taken = told(2, 'warning', {
    kind: 'alert.acknowledged',
    subject: 'alert/7',
    from: null,
    to: 'Priya',
    details,
  });
  const story = (transitions: TransitionRecord[]): AlertStory => ({
    alerts: [],
    carried: [],
    deliveries: [],
    phones: [],
    silences: [],
    transitions,
  });
  const stays = story([told(1, 'warning'), taken, told(3, 'warning')]);
  expect(buildStoryFromHistory(stays)?.acknowledged).toEqual({ by: 'Priya', comment: 'on the phone', at: 2 });
  const worse = story([told(1, 'warning'), taken, told(3, 'critical')]);
  expect(buildStoryFromHistory(worse)?.acknowledged).toBeNull();
  const { moments } = buildAlertHistory(worse, SETTING, () => ({}));
  expect(moments.at(-1)?.notes).toContain('It has worsened: nobody has it in hand any more.');
});

test.each([
  [LATE_AFTER_MS, 0],
  [LATE_AFTER_MS + 1, 1],
])('a message told %i ms after it was due is late on the page as often as in the report: %i', async (lateMs, late) => {
  const delivery = { id: 'd', receiver: 'mail', message: 'm', source: 'provider', alert: 'a', number: 7, detail: '' };
  const times = { at: lateMs, dueAt: 0, promisedAt: 0, outcome: 'delivered', reminder: 0 };
  const kept = {
    alerts: [],
    transitions: [],
    phones: [],
    carried: [],
    silences: [],
    deliveries: [{ ...delivery, ...times, recipients: [], transitions: [] }],
  };
  const story = kept as unknown as AlertStory;
  const past = buildAlertHistory(story, { ...SETTING, now: lateMs }, () => ({}));
  const status = { timezone: 'UTC', sources: [], now: lateMs } as unknown as SystemStatus;
  const shown = renderNotified(
    status,
    { notified: [], untold: [], notTold: null, status: 'open' } as unknown as Story,
    past,
  );
  expect(textOf(String(await shown))).toContain(late === 0 ? '1 message ' : '1 message, 1 late ');
  const tally = tallyDeliveries();
  tally.add(story.deliveries);
  expect(tally.receivers()).toMatchObject([{ late }]);
});
