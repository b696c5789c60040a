/**
 * The recorded histories through the embedded provider and the daemon's own loops over real HTTP, on an
 * injected clock. Each begins after a quiet step, so that it does not begin inside the baseline; only the
 * retroactive one does.
 */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { loadReplay, playReplay, type Replay } from '../simulator/support/replayed-page.ts';
import { runDaemon, type RunningDaemon } from '../support/running-daemon.ts';
import { story } from './story.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/replays/', import.meta.url));
const MINUTE = 60_000;

function quietStepOf(replay: Replay): Replay['steps'][number]['documents'] {
  const [first] = replay.steps;
  if (first === undefined) throw new Error('a replay has at least one step');
  const { page, components } = first.documents;
  const updated_at = '2020-01-01T00:00:00.000Z';
  return {
    page: { ...page, state: 'operational', updated_at },
    components: components.map((component) => ({ ...component, state: 'operational', updated_at })),
    notices: [],
    details: new Map(),
    gone: new Set(),
  };
}

async function play(name: string, tell: (daemon: RunningDaemon) => void, quiet = true): Promise<void> {
  const replay = loadReplay(`${FOLDER}${name}.json`);
  const startAt = (replay.steps[0]?.at ?? 0) - (quiet ? MINUTE : 0);
  const provider = await startProvider({ clock: { now: () => startAt } });
  const daemon = await runDaemon({ statusUrl: provider.statusUrl, startAt });
  try {
    if (quiet) {
      provider.simulator.status.replaceDocuments(quietStepOf(replay));
      await daemon.sweep();
    }
    const player = playReplay(replay, provider.simulator.status);
    while (player.advance()) {
      await daemon.sweepAt(replay.steps[player.step()]?.at ?? 0);
    }
    tell(daemon);
  } finally {
    await daemon.stop();
    await provider.close();
  }
}

test.each([
  ['r01_one_minute_incident'],
  ['r03_reopened_recovering_to_investigating'],
  ['r04_36_updates'],
  ['r05_all_services_31_updates_in_79_min'],
  ['r06_two_and_a_half_day_incident'],
  ['r07_many_concurrent_incidents_2026-02-09'],
  ['r08_maintenance_deleted_and_recreated'],
  ['r09_maintenance_extended_twice_with_incident_inside'],
  ['r10_telephony_mass_deregistration'],
  ['r11_telephony_starts_identified_postmortem_after_resolved'],
])('%s is told to people as this story', async (name) => {
  await play(name, (daemon) => {
    expect(story(daemon.people.sent)).toMatchSnapshot();
  });
});

test('an incident first seen when it was over is nothing but the baseline', async () => {
  await play(
    'r02_retroactive_first_seen_resolved',
    (daemon) => {
      expect(story(daemon.people.sent)).toEqual([
        '2024-08-06 18:30 info: source.baseline null → watching 3 components, 0 notices; nothing open (info)',
      ]);
      expect(story(daemon.programs.sent)).toEqual(story(daemon.people.sent));
    },
    false,
  );
});

test('a maintenance that is deleted and recreated is withdrawn, then replaced, and one alert all along', async () => {
  await play('r08_maintenance_deleted_and_recreated', ({ programs }) => {
    const kinds = programs.sent.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));
    expect(kinds.indexOf('notice.withdrawn')).toBeLessThan(kinds.indexOf('notice.replaced'));
    expect(kinds.filter((kind) => kind === 'notice.opened')).toHaveLength(1);
    const told = programs.sent.filter(({ changes }) =>
      changes.some(({ transition }) => transition.kind.startsWith('notice.')),
    );
    expect(new Set(told.map(({ alert }) => alert.id)).size).toBe(1);
    expect(JSON.stringify(told)).not.toContain('"to":"resolved"');
  });
});

test('programs hear of every flip, as part of the alert of the notice that explains it', async () => {
  await play('r09_maintenance_extended_twice_with_incident_inside', ({ programs }) => {
    expect(story(programs.sent)).toMatchSnapshot();
  });
});
