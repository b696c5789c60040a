/** What somebody sees who has just typed `npm start`. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadScenario } from '../../src/simulator/scenario/load.ts';
import { startLinewatch } from '../support/linewatch-process.ts';
import { ask } from '../web/open-web.ts';

test('an outage opens, worsens and resolves; Ctrl-C ends it', async () => {
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
    await demo.shows(/“After hours” (?:has been|is) ON\b.*expected OFF/);
    await demo.shows(/All \d+ phones are online again/);
    await demo.shows(/“After hours” is OFF again, as expected/);
    await demo.shows('Ctrl-C ends the demo');
    demo.signal('SIGINT');
    const { code, signal, out, err } = await demo.ended;
    expect([code, signal, err]).toEqual([0, null, '']);
    await expect(ask(page, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(out).not.toContain('\u001B');

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

test('the outage is over soon enough to be told within 15 seconds of the start', () => {
  const { steps } = loadScenario(fileURLToPath(new URL('../../config/scenarios/demo.yaml', import.meta.url)));
  // What is left is for the start, the baseline and the last look: 2 to 3 seconds where nothing else is running.
  expect(Math.max(...steps.map(({ at }) => at))).toBeLessThanOrEqual(13_000);
  const end = steps.findLast(({ note }) => note === 'It is over');
  expect(end?.at).toBeLessThanOrEqual(9_000);
});
