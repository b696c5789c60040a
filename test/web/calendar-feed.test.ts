/** Planned maintenance as a calendar to subscribe to. */
import { expect, test } from 'vitest';
import { createCalendarPart } from '../../src/receivers/email/calendar.ts';
import { openWeb } from './open-web.ts';

const HOUR = 3_600_000;
/** RFC 5545, 3.1: long lines go on in the next one. */
const unfolded = (text: string): string => text.replaceAll('\r\n ', '');

function eventsOf(calendar: string): Record<string, string>[] {
  return [...unfolded(calendar).matchAll(/BEGIN:VEVENT\r\n([\s\S]*?)END:VEVENT/g)].map(([, lines = '']) =>
    Object.fromEntries(
      lines
        .trimEnd()
        .split('\r\n')
        .map((line) => [line.split(/[:;]/)[0] ?? '', line.slice(line.indexOf(':') + 1)]),
    ),
  );
}

function stamp(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

test('holds what is planned under the UID the mails use, moves it, and says when it is called off', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  const { status } = provider.simulator;
  await running.sweep();
  expect(eventsOf((await web.ask('/calendar.ics')).body)).toEqual([]);

  const begins = Math.trunc(running.clock.now() / 1000) * 1000 + 26 * HOUR;
  const subject = 'Router work; part 1,\r\nBEGIN:VEVENT';
  const id = status.scheduleMaintenance({ subject, beginsAt: begins, endsAt: begins + HOUR, components: ['SMS'] });
  status.openNotice({ subject: 'Calls fail' });
  await running.sweep();
  const { body, headers } = await web.ask('/calendar.ics');
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8; method=PUBLISH');
  expect(body).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*\r\nEND:VCALENDAR\r\n$/);
  const [planned, ...more] = eventsOf(body);
  expect(more).toEqual([]);
  expect(planned).toMatchObject({
    DTSTART: stamp(begins),
    DTEND: stamp(begins + HOUR),
    SEQUENCE: '0',
    STATUS: 'CONFIRMED',
    SUMMARY: 'Provider maintenance: Router work\\; part 1\\, BEGIN:VEVENT',
    CATEGORIES: 'provider',
  });
  expect(planned?.['DESCRIPTION']).toMatch(/^Affects: SMS\\nProvider’s notice: https?:/);
  const mailed = running.people.sent.find(({ alert }) => alert.title.startsWith('Router work'));
  if (mailed === undefined) throw new Error('nobody was told');
  const part = createCalendarPart(mailed, 'hq', { organizer: 'lines@example.com', attendees: ['ops@example.com'] });
  const [inMail] = eventsOf(part?.content ?? '');
  expect(planned?.['UID']).toBe(inMail?.['UID']);
  expect(planned?.['SUMMARY']).toBe(inMail?.['SUMMARY']);

  status.updateNotice(id, { beginsAt: begins + HOUR, endsAt: begins + 2 * HOUR, content: 'An hour later.' });
  await running.sweep();
  const [moved] = eventsOf((await web.ask('/calendar.ics')).body);
  expect(moved).toMatchObject({ UID: planned?.['UID'], DTSTART: stamp(begins + HOUR), SEQUENCE: '1' });

  status.closeNotice(id, { state: 'cancelled', content: 'Not this week.' });
  await running.sweep();
  const [cancelled] = eventsOf((await web.ask('/calendar.ics')).body);
  expect(cancelled).toMatchObject({
    UID: planned?.['UID'],
    STATUS: 'CANCELLED',
    SUMMARY: expect.stringMatching(/^Cancelled: /),
  });
});

test('a notice withdrawn and published anew keeps its entry, and both ways tell its versions in the same order', async () => {
  await using web = await openWeb();
  const { running, provider } = web;
  const { status } = provider.simulator;
  await running.sweep();
  const begins = Math.trunc(running.clock.now() / 1000) * 1000 + 26 * HOUR;
  const work = { subject: 'Router work', beginsAt: begins, endsAt: begins + HOUR };
  const first = status.scheduleMaintenance(work);
  await running.sweep();
  status.withdrawNotice(first);
  // Where no notice is left at all, a second sweep has to say so too.
  await running.sweep();
  await running.sweep();
  expect(eventsOf((await web.ask('/calendar.ics')).body)).toEqual([]);
  const second = status.scheduleMaintenance(work);
  await running.sweep();
  const [back] = eventsOf((await web.ask('/calendar.ics')).body);
  status.updateNotice(second, { beginsAt: begins + HOUR, endsAt: begins + 2 * HOUR, content: 'Later.' });
  await running.sweep();
  const [moved] = eventsOf((await web.ask('/calendar.ics')).body);
  const mailed = running.people.sent.flatMap((message) => {
    const part = createCalendarPart(message, 'hq', { organizer: 'lines@example.com', attendees: [] });
    return part === null ? [] : eventsOf(part.content);
  });
  expect(mailed.map(({ STATUS, SEQUENCE }) => [STATUS, SEQUENCE])).toEqual([
    ['CONFIRMED', '0'],
    ['CANCELLED', '1'],
    ['CONFIRMED', '2'],
    ['CONFIRMED', '3'],
  ]);
  expect([back, moved].map((event) => event?.['SEQUENCE'])).toEqual(['2', '3']);
  expect(new Set([...mailed, back, moved].map((event) => event?.['UID'])).size).toBe(1);
});
