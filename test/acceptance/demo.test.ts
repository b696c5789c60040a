/** What somebody sees who has just typed `npm start`. On a terminal: test/cli/demo.test.ts. */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cases } from '../support/runs.ts';
import { startLinewatch, type Ended, type LinewatchProcess } from '../support/linewatch-process.ts';

/** How each message begins after its time. */
const ONE_FIRM = [
  'For information · provider, yarra-fibre and 1 more Watching 3 sources — 1 alert open',
  '#1 · Info · Update · provider Maintenance has started: Customer Portal database upgrade',
  '#2 · Critical · New · provider Trouble: Inbound calls failing in Melbourne — the provider is investigating',
  '#2 · Critical · Update · head-office 37 of 59 phones offline: Richmond 13/20, Parramatta 12/20, Carlton 12/19',
  '#2 · Critical · Update · provider 37 of 59 phones offline: Richmond 13/20, Parramatta 12/20, Carlton 12/19 — provider: cause found',
  '#1 · Over · provider Maintenance complete: Customer Portal database upgrade — after 13 min',
  '#2 · Critical · Update · provider 37 of 59 phones offline: Richmond 13/20, Parramatta 12/20, Carlton 12/19 — provider: recovering, not over yet',
  '#2 · Warning · Update · provider and head-office 1 of your 59 phones is still offline: 1004 (Sam Roberts) — the provider says it is over',
  '#2 · Resolved · was critical · head-office All 59 phones are online again — after 21 min',
  'For information · head-office Switched off: “After hours”',
  '#3 · Warning · New · head-office “After hours” has been OFF',
  '#3 · Resolved · was warning · head-office “After hours” is ON again, as expected — after 5 min',
  '#4 · Critical · New · yarra-fibre Trouble: Fibre cut in Carlton — “yarra-fibre” has found the cause',
  '#4 · Critical · Update · head-office 19 of your 19 phones at Carlton are offline',
  '#2 · Over · was critical · Update · head-office 2 of 3 callers of the outage',
];

const MANY_CUSTOMERS = [
  'For information · provider, Bayside Dental and 19 more Watching 21 sources — nothing open',
  '#1 · Critical · New · Corio Freight Corio Freight: 21 of 21 phones at Geelong are offline',
  '#2 · Critical · New · provider Trouble: Phones deregistering in Victoria — the provider is investigating',
  '#2 · Critical · Update · Southbank Hotel, Ballarat College and 10 more 179 of 322 phones offline at 12 customers — provider: investigating',
  '#2 · Critical · Update · Southbank Hotel, Ballarat College and 10 more 179 of 322 phones offline at 12 customers — provider: cause found',
  '#2 · Critical · Update · Southbank Hotel, Ballarat College and 10 more 179 of 322 phones offline at 12 customers — provider: recovering, not over yet',
  '#2 · Critical · Update · Williamstown Aged Care, Carlton Accountants and 10 more 63 of 112 phones offline at 6 customers — provider: recovering, not over yet',
  '#2 · Critical · Update · Southbank Hotel, Ballarat College and 10 more All 179 phones at 12 customers are back',
  '#2 · Resolved · was critical · provider Resolved: Phones deregistering in Victoria — after 34 min',
];

interface Told {
  texts: string[];
  /** Minutes since the first, as they are printed. */
  minutes: number[];
}

function told(out: string): Told {
  const all = [...out.matchAll(/▌ (\d\d):(\d\d) · ((?:.*\n▌)*.*)\n/g)];
  const times = all.map(([, hour, minute]) => Number(hour) * 60 + Number(minute));
  return {
    texts: all.map(([, , , text = '']) => text.replaceAll(/\n▌ */g, ' ')),
    minutes: times.map((time) => time - (times[0] ?? 0)),
  };
}

function expectStory({ texts }: Told, story: readonly string[]): void {
  expect(texts.map((text, index) => text.slice(0, story[index]?.length))).toEqual(story);
}

interface Place {
  folder: string;
  demo: LinewatchProcess;
}

async function withDemo(args: readonly string[], use: (place: Place) => Promise<void>, deaf = false): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-demo-test-'));
  const demo = startLinewatch(['demo', ...args], { cwd: folder, env: { TMPDIR: folder }, deaf });
  try {
    await use({ folder, demo });
  } finally {
    demo.signal('SIGKILL');
    await demo.ended;
    await rm(folder, { recursive: true });
  }
}

function expectQuietEnd({ code, signal, out, err }: Ended): void {
  expect([code, signal, err]).toEqual([0, null, '']);
  expect(out).not.toContain('\u001B');
}

/** But for paths, which stay whole. */
function expectWidth(out: string): void {
  for (const line of out.split('\n').filter((each) => !each.includes('/'))) {
    expect(line.length, line).toBeLessThanOrEqual(80);
  }
}

test.concurrent("one firm's night is told in the hours of a night, and its files are kept where that is asked for", async () => {
  await withDemo(['--speed', '1000', '--keep'], async ({ folder, demo }) => {
    const ended = await demo.ended;
    expectQuietEnd(ended);
    const all = told(ended.out);
    expectStory(all, ONE_FIRM);
    const { minutes } = all;
    expect(minutes).toEqual(minutes.toSorted((one, other) => one - other));
    expect(minutes.at(-1)).toBeGreaterThanOrEqual(40);
    expect(new Set(minutes).size).toBeGreaterThanOrEqual(ONE_FIRM.length - 2);
    expectWidth(ended.out);

    const [kept = ''] = await readdir(folder);
    expect(ended.out.split(join(folder, kept))).toHaveLength(2);
    const slack = await readdir(join(folder, kept, 'slack'));
    const mail = await readdir(join(folder, kept, 'mail'));
    expect([slack.length, mail.length]).toEqual([ONE_FIRM.length, 2 * ONE_FIRM.length]);
    const texts: string[] = [];
    for (const name of slack) {
      texts.push(await readFile(join(folder, kept, 'slack', name), 'utf8'));
      expect(JSON.parse(texts.at(-1) ?? '')).toHaveProperty('text');
    }
    for (const name of mail) {
      const form = name.endsWith('.eml') ? /^Subject: /m : /^<!doctype html>/i;
      texts.push(await readFile(join(folder, kept, 'mail', name), 'utf8'));
      expect(texts.at(-1)).toMatch(form);
    }
    // Callers of the outage, in the Slack payload and the mail, as receivers with masked numbers read them.
    const callers = texts.filter((text) => /\d\d:\d\d, \d\d:\d\d · 04•• ••• 209/.test(text));
    expect(callers.length).toBeGreaterThanOrEqual(2);
    for (const text of callers) expect(text).toContain('left a message');
    for (const text of texts) expect(text).not.toMatch(/0412 ?345 ?209|0398 ?765 ?432/);
  });
});

// Every pace tells the same: what is slow is the machine, never the night.
test.concurrent.each(cases([['1000'], ['300']]))(
  'a firm tells of its twenty customers at %s times the speed',
  async (speed) => {
    await withDemo(['--firm', '--speed', speed], async ({ folder, demo }) => {
      const ended = await demo.ended;
      expectQuietEnd(ended);
      expectStory(told(ended.out), MANY_CUSTOMERS);
      expect(ended.out).toMatch(/^Alert #1 is still open: Corio Freight: 21 of 21 phones at Geelong offline\.$/m);
      expectWidth(ended.out);
      expect(await readdir(folder)).toEqual([]);
    });
  },
);

test.concurrent.each([['SIGINT'], ['SIGTERM'], ['SIGHUP']] as const)(
  '%s in the midst of the night ends it at once and leaves nothing behind',
  async (signal) => {
    await withDemo(['--speed', '30'], async ({ folder, demo }) => {
      await demo.shows(/Critical · New[^]*Inbound calls failing/);
      demo.signal(signal);
      const ended = await demo.ended;
      expectQuietEnd(ended);
      expect(ended.out).not.toContain('That was the night');
      expect(await readdir(folder)).toEqual([]);
    });
  },
);

test.concurrent('a reader that leaves early ends it and leaves nothing behind', async () => {
  const use = async ({ folder, demo }: Place): Promise<void> => {
    expectQuietEnd(await demo.ended);
    expect(await readdir(folder)).toEqual([]);
  };
  await withDemo(['--speed', '1000'], use, true);
});
