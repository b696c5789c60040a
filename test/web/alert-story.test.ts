/** The whole story of an alert: while it is open, and when only the history knows of it. */
import { expect, test } from 'vitest';
import { API } from '../../src/web/api-schemas.ts';
import type { AlertStory } from '../../src/core/history/rows.ts';
import { pastStory } from '../../src/core/view/past-story.ts';
import type { Picture } from '../../src/core/view/picture.ts';
import type { Story } from '../../src/core/view/story.ts';
import { storyOf } from '../../src/web/alert-past.ts';
import { writePast } from '../support/ninety-days.ts';
import { openWeb, type OpenWeb } from './open-web.ts';

async function openWithPast(): Promise<OpenWeb> {
  const web = await openWeb();
  await writePast({
    history: web.kept.history,
    until: web.running.clock.now(),
    page: 'provider',
    account: 'acme',
    components: { 1: 'Hosted PBX', 2: 'Hosted PBX › Registrations', 3: 'SMS', 4: 'Portal' },
    sites: { Richmond: 20, Parramatta: 20 },
  });
  return web;
}

/** What is said between the tags, as somebody reads it. */
function textOf(body: string): string {
  return body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('a link in a mail of weeks ago leads to its story, with the words of then', async () => {
  await using web = await openWithPast();
  const { status, body } = await web.ask('/alerts/103');
  expect(status).toBe(200);
  const text = textOf(body);
  expect(text).toMatch(/Was critical #103 .*Over: Hosted PBX outage/);
  expect(text).toMatch(/Trouble: Hosted PBX outage.*We see it too, and look into it\./);
  expect(text).toMatch(/Resolved: Hosted PBX outage.*It works again\..*Over after 5 h/);
  expect(body).not.toContain('<img');
  expect(text).toMatch(/2 messages .*ops-mail, ops-slack.*0\.4 s/);
  expect((await web.ask('/alerts/999')).status).toBe(404);
});

test('what it cost in phones is a curve with text in it, and a table', async () => {
  await using web = await openWithPast();
  const { body } = await web.ask('/alerts/104');
  const text = textOf(body);
  expect(text).toContain('14 of 40 phones offline at most');
  expect(text).toMatch(/Most at once 14 of 40 .*Lost in all 56 h phone-hours/);
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
  expect(text).toMatch(/Victoria is hit\..*“Calls fail” is now “Calls and SMS fail”.*cut in Victoria today\./);
  expect(body).toMatch(/cut in <del>Victoria <\/del><ins>Tasmania <\/ins>today\./);
  expect(text).toMatch(/Priya has it.*/);
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
  const picture = { timezone: 'UTC', sources: [], now: 0 } as unknown as Picture;
  const nothing = { alerts: [], transitions: [], deliveries: [], phones: [] } as unknown as AlertStory;
  const story = { number: 103, status: 'open', affected: [] } as unknown as Story;
  const failed: string[] = [];
  const ask = (kept: AlertStory): ReturnType<typeof storyOf> =>
    storyOf(
      { alert: () => ({ picture, story }), past: () => Promise.resolve(kept), failed: (what) => failed.push(what) },
      103,
    );
  expect(await ask({ ...nothing, transitions: [{ transition: null }] as never })).toEqual({
    picture,
    story,
    past: null,
  });
  expect(failed).toEqual(['the history of alert #103']);
  expect(await ask(nothing)).toMatchObject({ story, past: { moments: [] } });
});

test('one of which only the history knows is shown as far as it can be read', async () => {
  const picture = { timezone: 'UTC', sources: [], now: 0 } as unknown as Picture;
  const row = { id: 'a', number: 7, severity: 'warning', title: 'Calls fail', status: 'resolved', source: 'provider' };
  const kept = { alerts: [{ ...row, startedAt: 1, openedAt: 2, resolvedAt: 3 }], deliveries: [], phones: [] };
  const transition = { id: 't', at: 2, source: 'provider', kind: 'notice.opened', subject: 'notice/7' };
  const transitions = [{ transition: { ...transition, details: { updates: [] } }, status: 'open', alert: row }];
  const failed: string[] = [];
  const shown = await storyOf(
    {
      alert: () => ({ picture, story: null }),
      past: () => Promise.resolve({ ...kept, transitions } as unknown as AlertStory),
      failed: (what) => failed.push(what),
    },
    7,
  );
  expect(shown).toMatchObject({ story: { number: 7, title: 'Calls fail', endedAt: 3 }, past: null });
  expect(failed).toHaveLength(1);
});

test('a message that went out before it was due is told at its time, and not late', () => {
  const delivery = { id: 'd', receiver: 'mail', message: 'm', source: 'provider', alert: 'a', number: 7, detail: '' };
  const times = { at: 50_000, dueAt: 120_000, promisedAt: 40_000, outcome: 'delivered', reminder: 0 };
  const deliveries = [{ ...delivery, ...times, recipients: [], transitions: ['t'] }];
  const { told } = pastStory({ alerts: [], transitions: [], phones: [], deliveries } as unknown as AlertStory, {
    timezone: 'UTC',
    now: 200_000,
    names: () => null,
    customer: () => null,
  });
  expect(told).toMatchObject([{ at: 50_000, receivers: [{ receiver: 'mail', afterMs: 0 }] }]);
});
