/** What somebody sees who has just typed `npm start`. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadScenario } from '../../src/simulator/scenario/run-scenario.ts';
import { startLinewatch } from '../support/linewatch-process.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { ask } from '../web/open-web.ts';

/** The first two lines of each message, without dates and durations. */
const STORY = [
  'For information · provider, yarra-fibre and 1 more: Watching 3 sources — nothing open',
  '#1 · Info · New · provider: Planned maintenance: Customer Portal database upgrade',
  '#2 · Critical · New · provider: Trouble: Inbound calls failing in Melbourne — the provider is investigating',
  '#2 · Critical · Update · head-office: 37 of 59 phones offline: Richmond 13/20, Parramatta 12/20, Carlton 12/19',
  '#1 · Info · Update · provider: Maintenance has started: Customer Portal database upgrade',
  '#2 · Critical · Update · provider: Cause found, being worked on: Inbound calls failing and phones deregistering',
  '#1 · Over · provider: Maintenance complete: Customer Portal database upgrade',
  '#2 · Critical · Update · provider: Recovering, not over yet: Inbound calls failing and phones deregistering',
  '#2 · Warning · Update · provider and head-office: Provider says it is over — 1 of your 59 phones is still offline: 1004 (Sam',
  '#2 · Resolved · was warning · head-office: All 59 phones are online again',
  '#3 · Critical · New · yarra-fibre: Trouble: Fibre cut in Carlton — “yarra-fibre” has found the cause',
  '#3 · Critical · Update · head-office: 19 of your 19 phones at Carlton are offline',
  '#3 · Critical · Update · yarra-fibre: Recovering, not over yet: Fibre cut in Carlton',
  '#3 · Critical · Update · head-office: All 19 phones at Carlton are online again',
  '#3 · Resolved · was critical · yarra-fibre: Resolved: Fibre cut in Carlton',
  'For information · head-office: Switched on: “After hours”',
  '#4 · Warning · New · head-office: “After hours” has been ON; expected OFF',
  '#4 · Resolved · was warning · head-office: “After hours” is OFF again, as expected',
];

function headlines(out: string): string[] {
  return [...out.matchAll(/(?<=^|\n(?!▌).*\n)▌ (.*)\n▌ (.*)\n/g)].map(([, head = '', title = '']) =>
    `${head}: ${title}`.replace(/ — (?:after|\w+ \d).*$/, '').replace(/ since \w+ \d+:\d+ \S+(?=;)/, ''),
  );
}

test.concurrent('an outage opens, worsens and resolves; Ctrl-C ends it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-demo-test-'));
  const demo = startLinewatch(['demo'], { cwd: folder, env: { TMPDIR: folder } });
  try {
    // Where to look is said before anything happens, and there is something to see.
    const early = await demo.shows(/page, to look at: .*\n/);
    expect(early).not.toContain('Critical');
    const page = /page, to look at: +(http:\/\/127\.0\.0\.1:\d+)\/\n/.exec(early)?.[1] ?? '';
    expect((await ask(page, '/')).body).toContain('head-office');
    await demo.shows(/Critical · New[^]*Inbound calls failing/);
    expect((await ask(page, '/')).body).toContain('Inbound calls failing');
    await demo.shows(/\d+ of \d+ phones offline: |\d+ of your \d+ phones .* are offline/);
    await demo.shows(/Critical · Update[^]*Identified/);
    await demo.shows(/Resolved: Inbound calls failing/);
    await demo.shows(/Provider says it is over — \d+ of your \d+ phones? /);
    await demo.shows(/“yarra-fibre” has trouble that may explain it: #3\s+(▌ )?Fibre cut in Carlton/);
    await demo.shows(/“After hours” (?:has been|is) ON\b.*expected OFF/);
    await demo.shows(/All \d+ phones are online again/);
    await demo.shows(/“After hours” is OFF again, as expected/);
    await demo.shows('Ctrl-C ends the demo');
    demo.signal('SIGINT');
    const { code, signal, out, err } = await demo.ended;
    expect([code, signal, err]).toEqual([0, null, '']);
    await expect(ask(page, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(out).not.toContain('\u001B');
    expect(headlines(out)).toEqual(STORY);

    // Every file it names is there and holds what its ending says.
    const directory = /mails are in (\S+);/.exec(out)?.[1] ?? '';
    const named = [...out.matchAll(/[\w.-]+\.(?:json|eml|html)\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(9);
    expect(await readdir(directory)).toEqual(expect.arrayContaining(named));
    for (const name of named) {
      const text = await readFile(join(directory, name), 'utf8');
      if (name.endsWith('.json')) expect(JSON.parse(text)).toHaveProperty('text');
      else expect(text).toMatch(name.endsWith('.eml') ? /^Subject: /m : /^<!doctype html>/i);
    }
    expect(existsSync(join(folder, 'state'))).toBe(false);
  } finally {
    demo.signal('SIGKILL');
    await demo.ended;
    await rm(folder, { recursive: true });
  }
});

// At every pace, without a process: test/cli/demo-story.test.ts.
test
  .skipIf(!TRIES_ALL)
  .concurrent(
    'the story is the same however fast it is told, for a step waits until the one before was told',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'linewatch-demo-test-'));
      const demo = startLinewatch(['demo', '--speed', '10'], { cwd: folder, env: { TMPDIR: folder } });
      try {
        await demo.shows('Ctrl-C ends the demo');
        demo.signal('SIGINT');
        const { code, out } = await demo.ended;
        expect(code).toBe(0);
        expect(headlines(out)).toEqual(STORY);
      } finally {
        demo.signal('SIGKILL');
        await demo.ended;
        await rm(folder, { recursive: true });
      }
    },
  );

test.concurrent('Ctrl-C in the midst of the story ends it at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linewatch-demo-test-'));
  const demo = startLinewatch(['demo'], { cwd: folder, env: { TMPDIR: folder } });
  try {
    await demo.shows(/Critical · New[^]*Inbound calls failing/);
    demo.signal('SIGINT');
    const { code, signal, out, err } = await demo.ended;
    expect([code, signal, err]).toEqual([0, null, '']);
    expect(out).not.toContain('Recovering');
  } finally {
    demo.signal('SIGKILL');
    await demo.ended;
    await rm(folder, { recursive: true });
  }
});

test('the outage is over soon enough to be told within 15 seconds of the start', () => {
  const { steps } = loadScenario(fileURLToPath(new URL('../../config/scenarios/demo.yaml', import.meta.url)));
  // What is left is for the start, the baseline and the last look: 2 to 3 seconds where nothing else is running.
  expect(Math.max(...steps.map(({ at }) => at))).toBeLessThanOrEqual(13_000);
  const end = steps.findLast(({ note }) => note === 'It is over');
  expect(end?.at).toBeLessThanOrEqual(9_000);
});
