import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { fakePlatform } from '../support/platform.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/replays/', import.meta.url));

async function replayed(...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const platform = fakePlatform({ argv: ['replay', ...argv] });
  const exit = await runCommand(platform, COMMANDS);
  return { exit, ...platform.written() };
}

interface Line {
  type: 'message' | 'transition';
  at: string;
  /** Of a transition. */
  kind?: string;
  subject?: string;
  details?: { domain?: { name: string } };
  alert: { id: string; number: number } | null;
  /** Of a message. */
  receiver?: string;
  title?: string;
  text?: string;
  changes?: { kind: string }[];
}

function linesOf(out: string): Line[] {
  return out
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
}

describe('linewatch replay', () => {
  test('tells when, to whom and why, from a quiet page on', async () => {
    const { exit, out } = await replayed('--from-quiet', `${FOLDER}r01_one_minute_incident.json`);
    expect(exit).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "r01_one_minute_incident: opened and resolved within 1 minute
      Tue 20 Sep 07:58 UTC  info: Watching Replay: 2 components, no notices — nothing open
          to everybody by route; because source.baseline (info)
      Tue 20 Sep 08:03 UTC  #1 critical: Trouble: Incident with Actions — the provider is investigating
          to everybody by route; because notice.opened (open)
      Tue 20 Sep 08:04 UTC  #1 critical: Resolved: Incident with Actions — after 59 s
          to everybody by route; because notice.closed (resolved)

      "
    `);
  });

  test('tells nothing but the summary of an incident that was over when it was first seen', async () => {
    const { out } = await replayed('--json', `${FOLDER}r02_retroactive_first_seen_resolved.json`);
    const lines = linesOf(out);
    expect(lines.map(({ type, kind }) => kind ?? type)).toEqual(['source.baseline', 'message']);
    expect(lines.flatMap(({ changes = [] }) => changes.map(({ kind }) => kind))).toEqual(['source.baseline']);
  });

  test('says the same every time', async () => {
    const file = `${FOLDER}r09_maintenance_extended_twice_with_incident_inside.json`;
    const first = await replayed('--json', '--from-quiet', file);
    expect(await replayed('--json', '--from-quiet', file)).toEqual(first);
    expect(first.out).toContain('"kind":"notice.rescheduled"');
  });

  test('reminds of maintenance at the time, though nothing was recorded then', async () => {
    const { out } = await replayed(
      '--json',
      '--from-quiet',
      `${FOLDER}r09_maintenance_extended_twice_with_incident_inside.json`,
    );
    const reminder = linesOf(out).find(({ kind }) => kind === 'maintenance.reminder');
    expect(reminder?.at).toBe('2022-03-24T11:00:00.000Z');
  });

  test.each([
    ['for company', 'routes: [{matchers: {severity: [critical]}, group_wait: 3h}]', 3],
    ['for the end of quiet hours', 'quiet_hours: {during: ["Tue 07:30-12:03"], let_through: none}', 4],
  ])('plays until nothing waits %s', async (_why, waits, hours) => {
    const cwd = await mkdtemp(join(tmpdir(), 'linewatch-replay-'));
    const config = [
      'timezone: UTC',
      'status_pages: [{name: provider, base_url: "https://status.example.com"}]',
      'receivers: [{name: ops, type: slack, webhook_url: "https://hooks.example.com/x"}]',
      `route: {receivers: [ops], repeat_interval: 0s, ${waits}}`,
    ];
    await writeFile(join(cwd, 'linewatch.yaml'), config.join('\n'));
    const argv = ['replay', '--json', '--from-quiet', `${FOLDER}r01_one_minute_incident.json`];
    const platform = fakePlatform({ argv, cwd });
    expect(await runCommand(platform, COMMANDS)).toBe(0);
    const said = linesOf(platform.written().out).filter(({ type }) => type === 'message');
    expect(said.flatMap(({ changes = [] }) => changes.map(({ kind }) => kind))).toContain('notice.closed');
    expect(new Date(said.at(-1)?.at ?? 0).getUTCHours()).toBe(8 + hours);
    await rm(cwd, { recursive: true });
  });

  test('refuses a configuration that is wrong, whatever its mistake is called', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'linewatch-replay-'));
    await writeFile(join(cwd, 'linewatch.yaml'), 'exists: true\n');
    const platform = fakePlatform({ argv: ['replay', `${FOLDER}r01_one_minute_incident.json`], cwd });
    expect(await runCommand(platform, COMMANDS)).toBe(2);
    expect(platform.written().err).toContain('exists: unknown key');
    await rm(cwd, { recursive: true });
  });

  test('refuses what is no history in a sentence', async () => {
    const { exit, err } = await replayed('/nowhere.json');
    expect(exit).toBe(2);
    expect(err).toContain('the history /nowhere.json cannot be read: there is no such file or directory (ENOENT)');
  });
});
