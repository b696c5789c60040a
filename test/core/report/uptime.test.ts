/** Uptime and durations against a count of their own: the recording's rows, looked at sweep by sweep. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { REPLAYS, reportedReplay, type ReportedReplay } from '../../support/reported-replay.ts';
import { cases } from '../../support/runs.ts';

const MINUTE = 60_000;
const names = readdirSync(REPLAYS).map((file) => file.replace('.json', ''));

interface Step {
  at: string;
  components: { id: number; state: string }[];
  notices: { id: number; type: string; began_at: string | null; ended_at: string | null }[];
}

function stepsOf(name: string): Step[] {
  return (JSON.parse(readFileSync(join(REPLAYS, `${name}.json`), 'utf8')) as { steps: Step[] }).steps;
}

/** Milliseconds by component and state, as whoever looked at these times could count them with a pencil. */
function counted(steps: readonly Step[], looks: readonly number[], until: number): Map<string, number> {
  const sums = new Map<string, number>();
  looks.forEach((look, index) => {
    const lasts = Math.min(looks[index + 1] ?? look, until) - look;
    const shown = steps.findLast(({ at }) => Date.parse(at) <= look) ?? steps[0];
    for (const { id, state } of shown?.components ?? []) {
      const key = `component/${id} ${state}`;
      if (lasts > 0) sums.set(key, (sums.get(key) ?? 0) + lasts);
    }
  });
  return sums;
}

describe.each(cases(names, 4))('%s', (name) => {
  const steps = stepsOf(name);
  let replayed: ReportedReplay;

  beforeAll(async () => {
    const lasts = Date.parse(steps.at(-1)?.at ?? '') - Date.parse(steps[0]?.at ?? '');
    replayed = await reportedReplay(name, lasts > 2 * 24 * 60 * MINUTE ? 10 * MINUTE : MINUTE);
  });

  test('its report counts what a count of the recording counts', () => {
    const { report, sweeps } = replayed;
    const sums = counted(steps, sweeps, report.until);
    const words = { up: 'operational', degraded: 'degraded', maintenance: 'under_maintenance' } as const;
    for (const one of report.uptimes.filter(({ subject }) => subject !== 'page')) {
      for (const [state, word] of Object.entries(words) as [keyof typeof words, string][]) {
        expect([one.subject, state, one[state]]).toEqual([one.subject, state, sums.get(`${one.subject} ${word}`) ?? 0]);
      }
    }
    expect(report.uptimes.length).toBeGreaterThan(1);
  });

  test('its outages begin and end as the provider says', () => {
    const { report } = replayed;
    const last = new Map(steps.flatMap(({ notices }) => notices.map((notice) => [String(notice.id), notice] as const)));
    const ended = report.outages.filter(({ notice, until }) => notice !== null && until !== null);
    for (const { notice, since, until } of ended) {
      const said = last.get(notice ?? '');
      expect(new Date(since).toISOString()).toBe(said?.began_at);
      if (typeof said?.ended_at === 'string') expect(new Date(until ?? 0).toISOString()).toBe(said.ended_at);
    }
    const planned = [...last.values()].filter(({ type }) => type === 'planned').map(({ id }) => String(id));
    expect(report.outages.filter(({ notice }) => notice !== null && planned.includes(notice))).toEqual([]);
    expect(report.maintenances.every(({ notice }) => planned.includes(notice))).toBe(true);
  });
});

test('while nobody looked it is unknown, and neither up nor down', async () => {
  const since = Date.parse('2026-08-17T15:00:00Z');
  const until = Date.parse('2026-08-17T17:00:00Z');
  const { report, sweeps } = await reportedReplay('r04_36_updates', MINUTE, 'UTC', { since, until });
  const [gap] = report.sources.flatMap(({ gaps }) => gaps.filter((one) => one.since > (sweeps[0] ?? 0)));
  const before = sweeps.findLast((at) => at < since + MINUTE) ?? 0;
  expect(gap).toEqual({ since: before, until });
  for (const { up, degraded, maintenance, unknown } of report.uptimes) {
    expect(up + degraded + maintenance + unknown).toBe(report.until - report.since);
    expect(unknown).toBe(until - before + (sweeps[0] ?? 0) - report.since);
  }
});
