/**
 * The configuration is wrong: refused before anything starts, naming file, line, column, key, what is allowed and the
 * nearest valid name; on reload the running configuration stays. Here as a process with a provider that must not be
 * asked. Every single mistake with its place and words: test/config/problems.txt, made by test/config/bad-files.test.ts;
 * through the commands: test/acceptance/configuration.test.ts; what else a reload does: test/acceptance/reload.test.ts.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { LogLine } from '../support/linewatch-process.ts';
import { cases } from '../support/runs.ts';
import { openSite, type Site } from '../support/site.ts';

/** The site's own file, wrong in one thing; and what is said of it, after `linewatch.yaml:`. */
const WRONG: [string, (site: Site) => string, RegExp][] = [
  [
    'a misspelt key',
    ({ config }) => stringify(config).replace('status_pages:', 'status_pagse:'),
    /\d+:1: .*did you mean "status_pages"/,
  ],
  [
    'a misspelt key inside',
    ({ config }) => stringify(config).replace('interval:', 'intervall:'),
    /\d+:5: status_pages\[0\]\.intervall: .*did you mean "interval"/,
  ],
  [
    'a value that is not allowed',
    ({ config }) => `${stringify(config)}log: {level: loud}\n`,
    /\d+:14: log\.level: .*debug.*info.*warn.*error/,
  ],
  [
    'a number without its unit',
    ({ config }) => stringify(config).replace('interval: 1s', 'interval: 1'),
    /\d+:15: status_pages\[0\]\.interval: .*no unit; write 1s/,
  ],
  [
    'a receiver that is none',
    ({ config }) => stringify(config).replace('    - bus', '    - buss'),
    /\d+:7: route\.receivers\[2\]: .*"bus"/,
  ],
  [
    'a limit above the provider’s',
    ({ config }) => stringify(config).replace('    interval:', '    requests_per_second: 6\n    interval:'),
    /\d+:26: status_pages\[0\]\.requests_per_second: .*5/,
  ],
  ['no YAML', ({ config }) => `${stringify(config)}oops: [1, 2\n`, /\d+:\d+: .+/],
  ['nothing', () => '', /1:1: .*empty/],
  ['bytes of something else', () => '\u0000\u0001\u0002PNG', /\d+:\d+: .+/],
  ['a web page', () => '<!doctype html><html><body>503</body></html>', /1:1: .+/],
];

// Processes one after the other, on machines that have others to run as well.
const PATIENT = { timeout: 180_000 };

test.concurrent('at the start: nobody is asked, nobody is told, nothing is written', PATIENT, async () => {
  await using site = await openSite();
  const file = join(site.folder, 'linewatch.yaml');
  await site.save();
  // Each is a process of its own; the others are tried on one that runs.
  for (const [what, write, told] of cases(WRONG.slice(0, 2))) {
    await writeFile(file, write(site));
    const { code, out, err } = await (await site.launch()).ended;
    expect([what, code, out]).toEqual([what, 2, '']);
    expect(err).toMatch(new RegExp(`linewatch\\.yaml:${told.source}`));
    expect(err).not.toMatch(/\bat .*:\d+:\d+\)|ZodError|undefined|\[object/);
  }
  expect(site.provider.simulator.log.all()).toEqual([]);
  expect([site.slack.arrived, site.bus.arrived, site.mailbox.mails]).toEqual([[], [], []]);
  expect(existsSync(site.stateDir)).toBe(false);
});

test.concurrent('on reload: the running one stays, whatever the file has become', PATIENT, async () => {
  await using site = await openSite();
  const file = join(site.folder, 'linewatch.yaml');
  const linewatch = await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  for (const [index, [what, write, told]] of WRONG.entries()) {
    await writeFile(file, write(site));
    linewatch.signal('SIGHUP');
    const refusals = (): LogLine[] =>
      linewatch.log().filter(({ msg }) => msg === 'The new configuration is refused; the running one stays');
    await linewatch.logged('The new configuration is refused; the running one stays', () => refusals().length > index);
    expect([what, String(refusals()[index]?.['problems'])]).toEqual([
      what,
      expect.stringMatching(new RegExp(`linewatch\\.yaml:${told.source}`)),
    ]);
  }
  await site.round();
  site.provider.simulator.status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
  expect((await site.slack.takes(2))[1]?.body).toContain('Calls fail');
  await Promise.all([site.mailbox.takes(2), site.event('notice.opened')]);
  // A right one is taken again, and was not missed meanwhile.
  await site.save();
  linewatch.signal('SIGHUP');
  await linewatch.logged('The configuration was read again');
  linewatch.signal('SIGTERM');
  expect(await linewatch.ended).toMatchObject({ code: 0 });
});
