/** Alerts of an earlier life of the state, whose numbers later ones have: neither is shown as the other. */
import { expect, test } from 'vitest';
import { API } from '../../src/web/data/api-schemas.ts';
import { PAST, type PastTrouble } from '../support/ninety-days.ts';
import { openWithPast, type WebWithPast } from './past.ts';

const MINUTE = 60_000;
/** The title of what happened eighteen days ago. */
const AGAIN = 'SMS delivery delays &lt;b&gt;again&lt;/b&gt;';

function happened(number: number): readonly PastTrouble[] {
  const portal: PastTrouble = {
    daysAgo: 18,
    lasted: 60 * MINUTE,
    severity: 'warning',
    title: 'Portal slow in a second life',
    components: { 4: 'degraded' },
  };
  const [first, ...others] = PAST;
  return [{ ...first!, title: 'SMS down in the first life', number }, ...others, { ...portal, number }];
}

async function openAlert(web: WebWithPast): Promise<void> {
  await web.running.sweep();
  web.provider.simulator.status.openNotice({ subject: 'Calls fail today', content: 'We look.', components: ['SMS'] });
  await web.running.sweep();
  await web.kept.history.flush();
}

test('an alert that is remembered has nothing of an earlier one with its number, which has an address of its own', async () => {
  await using web = await openWithPast({ happened: happened(1) });
  await openAlert(web);
  const { body } = await web.ask('/alerts/1');
  expect(body).toContain('Calls fail today');
  expect(body).not.toMatch(/first life|second life/);
  for (const [id, title] of [
    ['past-101', 'SMS down in the first life'],
    ['past-107', 'Portal slow in a second life'],
  ] as const) {
    const earlier = await web.ask(`/alerts/1?id=${id}`);
    expect([earlier.status, earlier.body.includes(title)]).toEqual([200, true]);
    expect(earlier.body).not.toContain('Calls fail today');
    expect(JSON.parse((await web.ask(`/api/alerts/1?id=${id}`)).body)).toMatchObject({ id, title });
  }
  expect((await web.ask('/alerts/1?id=of-no-life')).status).toBe(404);
});

test('a link to an alert names it where a later one has its number, and no other does', async () => {
  await using web = await openWithPast({ happened: happened(1) });
  await openAlert(web);
  const links = [...(await web.ask('/days')).body.matchAll(/href="(alerts\/[^"]*)">#\d+ ([^<]*[^<\s])/g)].map(
    ([, link, title]) => `${link} ${title}`,
  );
  expect(links).toContain('alerts/1 Calls fail today');
  expect(links).toContain('alerts/1?id=past-107 Portal slow in a second life');
  expect(links).toContain('alerts/1?id=past-101 SMS down in the first life');
  expect(links).toContain('alerts/103 Hosted PBX outage');
});

test('the day of a component shows its own alert, and none that has the number of an earlier one of it', async () => {
  await using web = await openWithPast({ happened: happened(101) });
  const { body } = await web.ask('/days?q=sms');
  const ofDay = [...body.matchAll(/<title>[^<]*/g)].map(([day]) => day).filter((day) => day.includes(AGAIN));
  expect(ofDay.length).toBeGreaterThan(0);
  for (const day of ofDay) expect(day).not.toContain('second life');
  const days = API.days.schema.parse(JSON.parse((await web.ask('/api/days')).body));
  expect(days.alerts.filter(({ number }) => number === 101).map(({ id }) => id)).toEqual(['past-107', 'past-101']);
});
