/** Who is on duty by a calendar: over midnight, in a zone of its own, repeated, with exceptions, or not readable. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findGap, isSameTrouble, findDuty } from '../../src/core/outbox/rota.ts';
import { createCalendarReader } from '../../src/daemon/rotas/read-calendar.ts';
import { readShifts, type CalendarRules } from '../../src/daemon/rotas/calendar.ts';

const at = (time: string): number => Date.parse(`${time}:00.000Z`);
const RULES: CalendarRules = {
  people: { alice: ['a'], 'Bob Smith': ['b'] },
  timezone: 'Australia/Melbourne',
  from: at('2026-03-01T00:00'),
  until: at('2026-03-15T00:00'),
};

function event(...lines: readonly string[]): string[] {
  return ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];
}

async function dutyAt(time: string, ...events: readonly string[][]): Promise<readonly string[] | 'gap'> {
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR'].join('\r\n');
  const shifts = (await readShifts(text, RULES)) ?? [];
  const duty = findDuty({ shifts, fallback: ['gap'] }, at(time));
  return duty[0] === 'gap' ? 'gap' : duty;
}

const NIGHTS = event(
  'UID:1',
  'SUMMARY:On call: ALICE',
  'DTSTART;TZID=Europe/Berlin:20260101T220000',
  'DTEND;TZID=Europe/Berlin:20260102T060000',
  'RRULE:FREQ=DAILY',
  'EXDATE;TZID=Europe/Berlin:20260305T220000',
);

test('a shift over midnight belongs to its own zone, and repeats', async () => {
  expect(await dutyAt('2026-03-03T20:59', NIGHTS)).toBe('gap');
  expect(await dutyAt('2026-03-03T21:00', NIGHTS)).toEqual(['a']);
  expect(await dutyAt('2026-03-04T04:59', NIGHTS)).toEqual(['a']);
  expect(await dutyAt('2026-03-04T05:00', NIGHTS)).toBe('gap');
});

test('an exception leaves one shift out, and a moved one moves', async () => {
  expect(await dutyAt('2026-03-05T23:00', NIGHTS)).toBe('gap');
  const moved = event(
    'UID:1',
    'RECURRENCE-ID;TZID=Europe/Berlin:20260306T220000',
    'SUMMARY:Bob Smith (for Alice)',
    'DTSTART;TZID=Europe/Berlin:20260306T230000',
    'DTEND;TZID=Europe/Berlin:20260307T060000',
  );
  expect(await dutyAt('2026-03-06T21:30', NIGHTS, moved)).toBe('gap');
  expect(await dutyAt('2026-03-06T22:30', NIGHTS, moved)).toEqual(['b']);
});

test('whole days and times without a zone are those of the rota', async () => {
  const day = event('UID:2', 'SUMMARY:Alice', 'DTSTART;VALUE=DATE:20260304', 'DTEND;VALUE=DATE:20260305');
  expect(await dutyAt('2026-03-03T12:59', day)).toBe('gap');
  expect(await dutyAt('2026-03-03T13:00', day)).toEqual(['a']);
  const floating = event('UID:3', 'SUMMARY:Alice', 'DTSTART:20260304T090000', 'DTEND:20260304T170000');
  expect(await dutyAt('2026-03-03T22:00', floating)).toEqual(['a']);
  expect(await dutyAt('2026-03-04T09:00', floating)).toBe('gap');
});

test('a zone that only the calendar defines is read from there', async () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Custom',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:+0300',
    'TZOFFSETTO:+0300',
    'END:STANDARD',
    'END:VTIMEZONE',
  ];
  const shift = event(
    'UID:4',
    'SUMMARY:Alice',
    'DTSTART;TZID=Custom:20260304T090000',
    'DTEND;TZID=Custom:20260304T100000',
  );
  expect(await dutyAt('2026-03-04T06:30', zone, shift)).toEqual(['a']);
  expect(await dutyAt('2026-03-04T07:30', zone, shift)).toBe('gap');
});

test('somebody unknown is nobody, and so is a name inside another word', async () => {
  const eve = event('UID:5', 'SUMMARY:Malicent', 'DTSTART:20260304T090000Z', 'DTEND:20260304T170000Z');
  expect(await dutyAt('2026-03-04T10:00', eve)).toBe('gap');
});

test('what is no calendar, or repeats without an end, is refused', async () => {
  expect(await readShifts('<html>404</html>', RULES)).toBeNull();
  expect(await readShifts('BEGIN:VCARD\r\nEND:VCARD', RULES)).toBeNull();
  const bomb = event('UID:6', 'SUMMARY:Alice', 'DTSTART:20260301T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY');
  expect(await readShifts(['BEGIN:VCALENDAR', ...bomb, 'END:VCALENDAR'].join('\r\n'), RULES)).toBeNull();
});

test('a gap is found where it begins, and is the same until somebody was on duty', () => {
  const shifts = [
    { begins: 0, ends: 10 },
    { begins: 20, ends: 30 },
  ].map((shift) => ({ ...shift, person: '', receivers: ['a'] }));
  expect(findGap({ shifts }, 5, 25)).toEqual({ begins: 10, ends: 20 });
  expect(findGap({ shifts }, 5, 10)).toBeNull();
  const gap = { kind: 'gap', begins: 10, ends: 20, person: null } as const;
  expect(isSameTrouble(gap, { ...gap, begins: 15 }, shifts)).toBe(true);
  expect(isSameTrouble(gap, { ...gap, begins: 30, ends: 40 }, shifts)).toBe(false);
  expect(isSameTrouble(undefined, gap, shifts)).toBe(false);
});

test('a file and an address are read up to 1 MB, and no answer or address is quoted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'rota-'));
  const path = join(directory, 'duty.ics');
  await writeFile(path, 'BEGIN:VCALENDAR');
  const read = createCalendarReader({});
  const { signal } = new AbortController();
  expect(await read(path, signal)).toMatchObject({ text: 'BEGIN:VCALENDAR' });
  expect(await read(join(directory, 'none.ics'), signal)).toEqual({ why: 'there is no such file' });
  await writeFile(path, 'x'.repeat(10_000_000));
  expect(await read(path, signal)).toEqual({ why: 'it is larger than 1 MB' });
  const server = createServer((request, response) => {
    if (request.url === '/404') response.writeHead(404).end('secret');
    else response.end(request.url === '/large' ? 'x'.repeat(10_000_000) : 'BEGIN:VCALENDAR');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  expect(await read(`${base}/ok`, signal)).toEqual({ text: 'BEGIN:VCALENDAR' });
  expect(await read(`${base}/404`, signal)).toEqual({ why: 'its address answered 404' });
  expect(await read(`${base}/large`, signal)).toEqual({ why: 'it is larger than 1 MB' });
  server.close();
  server.closeAllConnections();
  expect(await read(`${base}/ok`, signal)).toEqual({ why: expect.not.stringContaining('127.0.0.1') });
});
