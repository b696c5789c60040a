/** `replay --json`: messages and transitions are joined by the id of their alert, as the events of a webhook are. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/cli/program.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { fakePlatform } from '../support/platform.ts';
import { phonesAt, rawRegistrations, YEALINK } from '../support/raw-registrations.ts';

const REPLAYS = join(import.meta.dirname, '../fixtures/replays');
const START = Date.parse('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const CONFIG = {
  timezone: 'UTC',
  status_pages: [{ name: 'provider', base_url: 'https://status.example.com' }],
  receivers: [
    { name: 'ops', type: 'slack', webhook_url: 'https://hooks.slack.com/services/T/B/x' },
    { name: 'bus', type: 'webhook', url: 'https://bus.example.com' },
  ],
  route: { receivers: ['ops', 'bus'] },
};

interface Line {
  type: 'message' | 'transition';
  id: string;
  kind: string;
  receiver?: string;
  alert: { id: string; number: number | null } | null;
  alerts?: string[];
  changes?: { id: string; kind: string }[];
}

async function linesOf(file: string): Promise<Line[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'linewatch-joins-'));
  await writeFile(join(cwd, 'linewatch.yaml'), JSON.stringify(CONFIG));
  const platform = fakePlatform({ argv: ['replay', '--json', '--events', file], cwd });
  expect(await runCommand(platform, COMMANDS)).toBe(0);
  await rm(cwd, { recursive: true });
  const written = platform.written().out.trim().split('\n');
  return written.map((line): Line => JSON.parse(line));
}

/** The changes of messages that find no transition of theirs under the id of their alert. */
function unjoined(lines: readonly Line[]): unknown[] {
  const known = new Set(lines.flatMap(({ type, id, alert }) => (type === 'transition' ? [`${id} ${alert?.id}`] : [])));
  return lines.flatMap(({ alert, alerts = [alert?.id ?? ''], changes = [], receiver }) =>
    changes
      .filter((change) => !alerts.some((id) => known.has(`${change.id} ${id}`)))
      .map(({ kind }) => `${kind} to ${receiver}`),
  );
}

test.each([
  'r01_one_minute_incident',
  'r02_retroactive_first_seen_resolved',
  'r03_reopened_recovering_to_investigating',
  'r07_many_concurrent_incidents_2026-02-09',
  'r08_maintenance_deleted_and_recreated',
  'r09_maintenance_extended_twice_with_incident_inside',
  'r10_telephony_mass_deregistration',
])('every change of a message about %s finds its transition', async (name) => {
  const lines = await linesOf(join(REPLAYS, `${name}.json`));
  expect(lines.filter(({ type, receiver }) => type === 'message' && receiver === 'ops').length).toBeGreaterThan(0);
  expect(lines.filter(({ type, alert }) => type === 'transition' && alert?.number === null).length).toBeGreaterThan(0);
  expect(unjoined(lines)).toEqual([]);
});

test('phones of the day, toggles that are switched together and a summary of several sources join as well', async () => {
  const at = (minute: number): string => new Date(START + minute * MINUTE).toISOString();
  const phones = phonesAt('203.0.113.7', 101, 6);
  const renewed = phones.map((phone) => ({ ...phone, agent: YEALINK.replace('66.86.0.15', '66.86.0.20') }));
  const toggle = (id: number, status: boolean): object => ({ id, name: `Night ${id}`, status });
  const file = join(await mkdtemp(join(tmpdir(), 'linewatch-joins-')), 'day.json');
  const first = { registrations: rawRegistrations(phones) };
  await writeFile(
    file,
    JSON.stringify({
      steps: [
        { at: at(0), status: { page: { name: 'Example', state: 'operational' } } },
        { at: at(0), account: 'acme', ...first, toggles: [toggle(1, false), toggle(2, false)] },
        { at: at(5), account: 'acme', toggles: [toggle(1, true), toggle(2, true)] },
        { at: at(10), account: 'acme', registrations: rawRegistrations(renewed) },
      ],
    }),
  );
  const lines = await linesOf(file);
  const told = lines.flatMap(({ type, receiver, changes = [] }) =>
    type === 'message' && receiver === 'ops' ? [changes.map(({ kind }) => kind).join(' ')] : [],
  );
  expect(told).toEqual([
    'source.baseline source.baseline',
    'toggle.state toggle.state',
    Array(6).fill('registration.device').join(' '),
  ]);
  expect(unjoined(lines)).toEqual([]);
});
