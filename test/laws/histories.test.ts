/** The laws that hold for every history of a provider, and however its answers arrive. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SourceState } from '../../src/core/engine/page-kind.ts';
import {
  badWeather,
  beginPlay,
  clearWeather,
  history,
  MINUTE,
  noiseMove,
  written,
  type Play,
  type Round,
} from './history.ts';
import type { Transition } from '../../src/core/transition/transition.ts';
import { allOf, type Weather } from './paper-reader.ts';
import { paperWatch, UNREACHABLE_AFTER_MS, type PaperWatch } from './paper-watch.ts';
import { retell, toldBy } from './retelling.ts';
import { breach } from '../support/runs.ts';
import * as laws from './story-laws.ts';

const LONG = { timeout: 3_600_000 };

const calm = history(clearWeather);
const calmWithRestarts = history(clearWeather, true);
const stormy = history(badWeather).map(neverLasting);

/**
 * A stale answer, or a count that is off, is believed by design once it has lasted three sweeps. Here it lasts
 * for one, so that nothing but the truth may be believed.
 */
function neverLasting(rounds: readonly Round[]): Round[] {
  return rounds.map((round, index) => (index % 3 === 0 ? round : { ...round, weather: honest(round.weather) }));
}

function honest(weather: Weather): Weather {
  const parts = Object.entries(weather).map(([part, fault]) => [
    part,
    fault === 'stale' || fault === 'short' ? 'clear' : fault,
  ]);
  return Object.fromEntries(parts);
}

interface Ended {
  game: Play;
  watch: PaperWatch;
  events: number;
}

type AfterRound = (ended: Ended, round: Round, fromStep: number) => void;

async function play(rounds: readonly Round[], after: AfterRound = () => undefined): Promise<Ended> {
  const game = beginPlay();
  const watch = paperWatch(game.world, { now: game.now });
  await watch.sweep();
  let events = 0;
  for (const round of rounds) {
    if (round.restart) watch.restart();
    for (const move of round.moves) if (game.make(move)) events += move.kind === 'recreate' ? 2 : 1;
    game.pass(round.afterMs);
    const fromStep = watch.steps.length;
    await watch.sweep(round.weather);
    after({ game, watch, events }, round, fromStep);
  }
  return { game, watch, events };
}

/** Long enough for everything that waits for a third sweep or for its turn to be read. */
async function settle({ game, watch }: Ended): Promise<void> {
  for (let sweep = 0; sweep < 3; sweep += 1) {
    game.make({ kind: 'touch', which: 0, other: 0 });
    game.pass(11 * MINUTE);
    await watch.sweep();
  }
}

/**
 * What was entered, and what people were told of it. How much of that came together, and in which order what counts
 * its changes, depends on when it was read.
 */
function words({ watch }: Ended): string[] {
  const said = ({ kind, subject, from, to }: Transition): string => JSON.stringify([kind, subject, from, to]);
  const told = watch.people.flatMap(({ changes }) => changes.map(({ transition }) => `told ${said(transition)}`));
  return [...watch.transitions.map(said), ...told].toSorted();
}

/** The page was read as it is, and the components, all of them. */
function readsWhatIsDown({ weather }: Round): boolean {
  const complete = ['clear', 'reversed', 'duplicate', 'junk'];
  return complete.includes(weather.components) && [...complete, 'short'].includes(weather.page);
}

function isNoise({ transition }: { transition: { kind: string } }): boolean {
  return !transition.kind.startsWith('source.') && !transition.kind.startsWith('maintenance.');
}

test('a sweep that lacks nothing sees the truth, masks nothing and tells how each alert stands', LONG, async () => {
  expect(
    await breach(
      calm,
      async (rounds) => {
        const { watch } = await play(rounds, ({ watch: seen, game }) => {
          laws.expectNothingMasked(seen.state);
          laws.expectSeesTheTruth(seen.state, game.world);
        });
        laws.expectToldHowItStands(watch.people, watch.state);
        laws.expectToldHowItStands(watch.programs, watch.state);
      },
      25,
      written,
    ),
  ).toBeNull();
});

test(
  'what is different between two observations is told once: the transitions retell the new from the old',
  LONG,
  async () => {
    expect(
      await breach(
        stormy,
        async (rounds) => {
          const { watch } = await play(rounds);
          for (const { before, out } of watch.steps) {
            const transitions = out.entered.map(({ transition }) => transition);
            const told = retell(toldBy(before.snapshot), transitions);
            const now = toldBy(out.state.snapshot);
            if (before.snapshot.page !== null) expect(told.page).toEqual(now.page);
            if (before.snapshot.components !== null) expect(told.components).toEqual(now.components);
            if (before.snapshot.notices === null) continue;
            for (const [id, notice] of Object.entries(told.notices)) {
              const known = now.notices[id];
              if (known === undefined) continue;
              // Whom a notice hit that was over when it was first seen is no news.
              const old = before.snapshot.notices.find((one) => one.id === id);
              const silent = old !== undefined && old.closedAt !== null && old.components === null;
              expect({ id, ...known }).toEqual({ id, ...notice, ...(silent ? { components: known.components } : {}) });
            }
          }
        },
        25,
        written,
      ),
    ).toBeNull();
  },
);

test('after any weather one clear sweep sees the truth, and nothing was masked on the way', LONG, async () => {
  expect(
    await breach(
      stormy,
      async (rounds) => {
        const ended = await play(rounds, ({ watch: seen }, round) => {
          if (readsWhatIsDown(round)) laws.expectNothingMasked(seen.state);
        });
        await settle(ended);
        const { watch, game } = ended;
        expect(watch.state.snapshot.heldBack).toEqual({});
        laws.expectSeesTheTruth(watch.state, game.world);
        laws.expectNothingMasked(watch.state);
        laws.expectToldHowItStands(watch.people, watch.state);
      },
      25,
      written,
    ),
  ).toBeNull();
});

test('no all-clear without the provider saying so, in any weather', LONG, async () => {
  expect(
    await breach(
      stormy,
      async (rounds) => {
        await play(rounds, ({ watch, game }, _, fromStep) => laws.expectNoFalseAllClear(watch, game.world, fromStep));
      },
      25,
      written,
    ),
  ).toBeNull();
});

test('transitions, messages and alert numbers never collide, restarts included', LONG, async () => {
  expect(
    await breach(
      calmWithRestarts,
      async (rounds) => {
        const { watch } = await play(rounds);
        laws.expectDistinct(
          watch.transitions.map(({ id }) => id),
          'transitions',
        );
        laws.expectDistinct(
          [...watch.people, ...watch.programs].map(({ id }) => id),
          'messages',
        );
        laws.expectDistinct(
          watch.state.alerts.map(({ number }) => String(number)),
          'alert numbers',
        );
      },
      15,
      written,
    ),
  ).toBeNull();
});

test('a restart loses nothing and tells nothing twice: the same story as without it', LONG, async () => {
  expect(
    await breach(
      calmWithRestarts,
      async (given) => {
        // Slow enough for the recent past to be read in every sweep, with or without a restart.
        const rounds = given.map((round) => ({ ...round, afterMs: 11 * MINUTE }));
        let awaited = false;
        const note = ({ watch }: Ended): void => {
          awaited ||= Object.keys(watch.state.snapshot.heldBack).length > 0;
        };
        const stopped = await play(rounds, (ended) => {
          note(ended);
          laws.expectSeesTheTruth(ended.watch.state, ended.game.world);
          laws.expectNothingMasked(ended.watch.state);
        });
        const steady = await play(
          rounds.map((round) => ({ ...round, restart: false })),
          note,
        );
        for (const ended of [stopped, steady]) await settle(ended);
        // What looks older is believed when it lasts: that count, and the times it rests on, are noise until then, and
        // a restart forgets them. What happens meanwhile is told before it in the one story and after it in the other.
        if (!awaited) expect(words(stopped)).toEqual(words(steady));
      },
      15,
      written,
    ),
  ).toBeNull();
});

test('the same history gives the same output to the byte', LONG, async () => {
  expect(
    await breach(
      stormy,
      async (rounds) => {
        const one = await play(rounds);
        const other = await play(rounds);
        expect(JSON.stringify([one.watch.people, one.watch.programs, one.watch.state])).toBe(
          JSON.stringify([other.watch.people, other.watch.programs, other.watch.state]),
        );
      },
      8,
      written,
    ),
  ).toBeNull();
});

test('no storm: people get no more messages than the provider made events', LONG, async () => {
  expect(
    await breach(
      calm,
      async (rounds) => {
        const { watch, events } = await play(rounds);
        const byClock = (kind: string): boolean => kind.startsWith('source.') || kind.startsWith('maintenance.');
        const about = watch.people.filter(
          ({ changes }) => !changes.every(({ transition }) => byClock(transition.kind)),
        );
        expect(about.length).toBeLessThanOrEqual(events);
      },
      15,
      written,
    ),
  ).toBeNull();
});

test('noise makes no transition and needs no write', LONG, async () => {
  expect(
    await breach(
      fc.tuple(calm, fc.array(noiseMove, { maxLength: 6 })),
      async ([rounds, noise]) => {
        const ended = await play(rounds);
        await settle(ended);
        const { watch, game } = ended;
        watch.forget();
        for (const move of noise) {
          game.make(move);
          game.pass(30_000);
          await watch.sweep();
        }
        expect(watch.steps.flatMap(({ out }) => out.entered).filter(isNoise)).toEqual([]);
        const writes = watch.steps.filter(({ out }) => out.changed && out.entered.length === 0);
        expect(
          writes.map(({ observation, before, out }) => [
            observation.kind,
            before.alerts.length,
            out.state.alerts.length,
          ]),
        ).toEqual([]);
      },
      15,
      ([rounds, noise]) => `${written(rounds)}\n  then ${noise.map(({ kind }) => kind).join(', ')}`,
    ),
  ).toBeNull();
});

test('a missed observation changes nothing about components and notices', LONG, async () => {
  expect(
    await breach(
      stormy,
      async (rounds) => {
        const { watch, game } = await play(rounds);
        await watch.sweep();
        const before = toldBy(watch.state.snapshot);
        watch.forget();
        for (let sweep = 0; sweep < 10; sweep += 1) {
          game.pass(30_000);
          await watch.sweep(allOf('missed'));
        }
        expect(
          watch.transitions.filter(({ kind }) => !kind.startsWith('maintenance.')).map(({ kind }) => kind),
        ).toEqual(['source.unreachable']);
        expect(toldBy(watch.state.snapshot)).toEqual(before);
      },
      15,
      written,
    ),
  ).toBeNull();
});

test('an outage that begins while the source is blind is told as itself', LONG, async () => {
  expect(
    await breach(
      fc.tuple(calm, fc.nat(5), fc.nat(20)),
      async ([rounds, which, sweeps]) => {
        const { watch, game } = await play(rounds);
        for (let sweep = 0; sweep <= sweeps; sweep += 1) {
          game.pass(30_000);
          await watch.sweep(allOf('missed'));
        }
        const id = game.world.openNotice({
          subject: 'Outage',
          components: [game.world.documents().components[which % 2]?.id ?? 0],
        });
        game.pass(30_000);
        watch.forget();
        await watch.sweep();
        const told = watch.people
          .flatMap(({ changes }) => changes)
          .map(({ transition }) => `${transition.kind} ${transition.subject}`);
        expect(told).toContain(`notice.opened notice/${id}`);
        const unreachable = sweeps * 30_000 >= UNREACHABLE_AFTER_MS;
        expect(told.includes('source.recovered source')).toBe(unreachable);
      },
      15,
      ([rounds, which, sweeps]) => `${written(rounds)}\n  then ${sweeps} blind sweeps and component ${which}`,
    ),
  ).toBeNull();
});

test('faults alone produce messages about the source only, two at most for an outage of it', LONG, async () => {
  expect(
    await breach(
      fc.tuple(calm, stormy),
      async ([rounds, weather]) => {
        const ended = await play(rounds);
        await settle(ended);
        const { watch, game } = ended;
        watch.forget();
        for (const round of weather) {
          game.pass(30_000);
          await watch.sweep(round.weather);
        }
        const kinds = watch.people.flatMap(({ changes }) => changes.map(({ transition }) => transition.kind));
        expect(kinds.filter((kind) => !kind.startsWith('source.') && !kind.startsWith('maintenance.'))).toEqual([]);
        const outages = kinds.filter((kind) => kind === 'source.unreachable').length;
        const recoveries = kinds.filter((kind) => kind === 'source.recovered').length;
        expect(outages - recoveries === 0 || outages - recoveries === 1).toBe(true);
        const state: SourceState = watch.state;
        expect(state.snapshot.health.unreachable).toBe(outages > recoveries);
      },
      15,
      ([rounds, weather]) => `${written(rounds)}\n  then only weather:${written(weather)}`,
    ),
  ).toBeNull();
});
