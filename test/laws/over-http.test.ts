/** The laws again, on fewer histories: through the real client and the daemon's own loops, with the fault board. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/observation/limits.ts';
import type { Fault } from '../../src/simulator/fault/fault.ts';
import { startProvider } from '../../src/simulator/embedded-provider.ts';
import { runDaemon } from '../support/running-daemon.ts';
import { anyMove, beginPlay, MINUTE, START, type Move } from './history.ts';
import { breach } from '../support/runs.ts';
import { expectDistinct, expectNothingMasked, expectSeesTheTruth } from './story-laws.ts';

/** A listing as it is, with so many more rows of its own. */
function swollen(body: unknown, count: number): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).map(([key, value]) => {
      const rows: unknown[] = Array.isArray(value) ? value : [];
      return [key, rows.length === 0 ? value : Array.from({ length: count }, (_, index) => rows[index % rows.length])];
    }),
  );
}

/** What a provider says of its sizes, and how large it is. */
const LIES: readonly Fault[] = [
  { kind: 'meta', count: -5, total_count: -5 },
  { kind: 'meta', count: 1_000_000_000 },
  { kind: 'meta', total_count: -1 },
  { kind: 'next_page', to: '/nowhere?page=2' },
  { kind: 'next_page', to: 'https://elsewhere.example.test/' },
  { kind: 'big_body' },
  { kind: 'gzip_bomb' },
  { kind: 'transform', body: (body) => swollen(body, LIMITS.components + 1) },
  { kind: 'transform', body: (body) => swollen(body, LIMITS.rowsOfAnEndlessListing) },
  { kind: 'transform', body: (body) => ({ ...(body as object), filling: Array.from({ length: 200_000 }, () => []) }) },
];

/** Faults of one request each; those that take real time are tried in the tests of hostile input. */
const FAULTS: readonly Fault[] = [
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'json_string' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'rate_limited', retry_after: 0 },
  { kind: 'truncate', clean: true },
  { kind: 'truncate' },
  { kind: 'reset' },
  { kind: 'delay', ms: 5 },
  { kind: 'bom' },
  { kind: 'duplicate_rows' },
  { kind: 'junk_rows' },
  { kind: 'meta', total_count: 3 },
  { kind: 'next_page', to: 'loop' },
  { kind: 'ignore_filters' },
  ...LIES,
];

interface Hour {
  moves: Move[];
  faults: { fault: number; skip: number }[];
}

const hours: fc.Arbitrary<Hour[]> = fc.array(
  fc.record({
    moves: fc.array(anyMove, { maxLength: 3 }),
    faults: fc.array(fc.record({ fault: fc.nat(FAULTS.length - 1), skip: fc.nat(4) }), { maxLength: 3 }),
  }),
  { minLength: 3, maxLength: 10 },
);

test(
  'in any weather: nothing collides, nothing is masked, and clear sky shows the truth',
  { timeout: 3_600_000 },
  async () => {
    expect(
      await breach(
        hours,
        async (day) => {
          const game = beginPlay();
          const provider = await startProvider({ clock: { now: game.now } });
          const { simulator } = provider;
          // The moves are made in a world of their own; the provider answers with its documents.
          simulator.status.replaceDocuments(game.world.documents());
          const daemon = await runDaemon({ statusUrl: provider.statusUrl, startAt: START, intervalMs: MINUTE });
          const sweep = async (): Promise<void> => {
            game.pass(11 * MINUTE);
            simulator.status.replaceDocuments(game.world.documents());
            await daemon.sweepAt(game.now());
          };
          try {
            await daemon.sweep();
            for (const { moves, faults } of day) {
              for (const move of moves) game.make(move);
              for (const { fault, skip } of faults) {
                simulator.faults.add({ fault: FAULTS[fault] ?? { kind: 'html' }, skip, times: 1 });
              }
              await sweep();
              simulator.faults.clear();
            }
            // What looks older, and what is off, is believed when it lasts.
            for (let clear = 0; clear < 3; clear += 1) {
              game.make({ kind: 'touch', which: 0, other: 0 });
              await sweep();
            }
            const state = daemon.daemon.sources[0]?.state;
            if (state === undefined) throw new Error('there is one source');
            expectSeesTheTruth(state, game.world);
            expectNothingMasked(state);
            const sent = [...daemon.people.sent, ...daemon.programs.sent];
            expectDistinct(
              sent.map(({ id }) => id),
              'messages',
            );
            expectDistinct(
              daemon.programs.sent.flatMap(({ changes }) => changes.map(({ transition }) => transition.id)),
              'transitions',
            );
            expect(daemon.daemon.deliveries.flatMap((delivery) => delivery.waiting())).toEqual([]);
          } finally {
            await daemon.stop();
            await provider.close();
          }
        },
        3,
      ),
    ).toBeNull();
  },
);
