/** What nobody foresaw in one place: it is told once, tried again, and harms nothing else. */
import { describe, expect, test } from 'vitest';
import type { PageReader } from '../../src/pages/page-reader.ts';
import type { Listing } from '../../src/core/observation/listing.ts';
import type { Notice } from '../../src/core/page/page-model.ts';
import { buildStatus } from '../../src/core/view/build-status.ts';
import { knownSource } from '../support/system-status.ts';
import { createStatusWorld, type StatusWorld } from '../support/status-world.ts';
import {
  DELIVERED,
  HOUR,
  MINUTE,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
  type PaperReceiver,
} from '../support/paper-daemon.ts';
import { everyone, quietLog } from '../support/running-daemon.ts';

interface Scene {
  clock: ReturnType<typeof virtualClock>;
  provider: StatusWorld;
  other: StatusWorld;
  people: PaperReceiver;
  programs: PaperReceiver;
}

function scene(): Scene {
  const clock = virtualClock(START);
  const [provider, other] = [world(clock, 'Provider'), world(clock, 'Other')];
  const [people, programs] = [paperReceiver('people', 'people'), paperReceiver('programs', 'programs')];
  return { clock, provider, other, people, programs };
}

function world(clock: Scene['clock'], name: string): StatusWorld {
  return createStatusWorld({ clock, name, components: [{ id: 1, name: 'Trunks' }] });
}

function start(
  { clock, provider, other, people, programs }: Scene,
  more: Partial<Parameters<typeof startPaperDaemon>[0]> = {},
): Promise<PaperDaemon> {
  return startPaperDaemon({
    source: provider,
    others: { other },
    receivers: [people, programs],
    clock,
    ...more,
    options: { log: quietLog, ...more.options },
  });
}

function told({ taken }: PaperReceiver, kind: string): string[] {
  return taken.flatMap(({ changes }) =>
    changes.flatMap(({ transition }) => (transition.kind === kind ? [String(transition.to)] : [])),
  );
}

const MET = 'the watch over other met an unforeseen error (TypeError)';
const OVER = 'the watch over other works again';

/** What a reader could let through that the core does not expect. */
const BROKEN = {
  kind: 'observed',
  defects: [],
  missing: null,
  get items(): never {
    throw new TypeError('a surprise that quotes hunter2');
  },
} as unknown as Listing<Notice>;

describe.each([
  [
    'reading an answer',
    (): never => {
      throw new TypeError('a surprise that quotes hunter2');
    },
  ],
  ['a step of the core', (): Promise<Listing<Notice>> => Promise.resolve(BROKEN)],
])('a surprise in %s', (_what, surprise) => {
  test('is told once, tried again with growing rests, and its end is told; all others go on', async () => {
    const all = scene();
    const { provider, other, people, programs, clock } = all;
    let broken = true;
    const asked: number[] = [];
    const running = await start(all, {
      wrapReader: (name, reader): PageReader => ({
        ...reader,
        async notices(timeline, signal) {
          if (name !== 'other' || timeline !== 'present') return reader.notices(timeline, signal);
          asked.push(clock.now());
          return broken ? await surprise() : await reader.notices(timeline, signal);
        },
      }),
    });
    await running.pass(MINUTE);
    // The summary of those that start together waits for no source that cannot be looked at.
    expect(told(people, 'source.baseline')).toHaveLength(1);
    provider.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
    await running.pass(HOUR);
    expect([told(people, 'notice.opened'), told(programs, 'notice.opened')]).toEqual([
      ['investigating'],
      ['investigating'],
    ]);
    for (const receiver of [people, programs]) expect(told(receiver, 'linewatch.state')).toEqual([MET]);
    expect(JSON.stringify(people.taken)).not.toContain('hunter2');
    const rests = asked.map((at, index) => at - (asked[index - 1] ?? at)).slice(1);
    expect(rests.slice(0, 4)).toEqual([1, 2, 4, 8].map((seconds) => seconds * SECOND));
    expect(rests.at(-1)).toBe(5 * MINUTE);
    expect(running.daemon.loopFailure('other')).toBe('unforeseen error (TypeError)');

    broken = false;
    other.openNotice({ subject: 'Faxes fail', components: ['Trunks'] });
    await running.pass(HOUR);
    expect(running.daemon.loopFailure('other')).toBeNull();
    expect(told(people, 'linewatch.state')).toEqual([MET, OVER]);
    expect(JSON.stringify(people.taken)).toContain('Faxes fail');
    await running.stop();
  });
});

test('a surprise that comes and goes is told as one', async () => {
  const all = scene();
  let sweeps = 0;
  const running = await start(all, {
    wrapReader: (name, reader) => ({
      ...reader,
      page(signal) {
        sweeps += name === 'other' ? 1 : 0;
        if (name === 'other' && sweeps % 2 === 0) throw new TypeError('now and then');
        return reader.page(signal);
      },
    }),
  });
  await running.pass(2 * HOUR);
  expect(sweeps).toBeGreaterThan(100);
  expect(told(all.people, 'linewatch.state')).toEqual([MET]);
  await running.stop();
});

test('what the clock alone had to say and could not leaves the sweeps at their pace', async () => {
  const all = scene();
  let [resting, failed] = [false, 0];
  const asked: number[] = [];
  const running = await start(all, {
    others: {},
    wrapReader: (_name, reader) => ({
      ...reader,
      notices(timeline, signal) {
        if (timeline === 'present') asked.push(all.clock.now());
        resting = false;
        return reader.notices(timeline, signal);
      },
    }),
    options: {
      observer: {
        sweepEnded: () => {
          resting = true;
        },
      },
      route: Object.defineProperty(everyone(['people', 'programs']), 'repeatInterval', {
        get(): number {
          if (!resting) return HOUR;
          failed += 1;
          throw new TypeError('nobody can say when');
        },
      }),
    },
  });
  all.provider.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(10 * MINUTE);
  expect(failed).toBeGreaterThan(15);
  expect(asked.length).toBeGreaterThan(18);
  expect(asked.length).toBeLessThan(24);
  await running.stop();
});

test('a message that cannot be made is told of, tried again, and every other receiver gets its own', async () => {
  const all = scene();
  const { people, programs, provider } = all;
  let broken = true;
  people.conduct = (messages) => {
    if (broken && JSON.stringify(messages).includes('Calls fail')) throw new TypeError('no words for it');
    return DELIVERED;
  };
  const running = await start(all);
  await running.pass(MINUTE);
  provider.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(10 * MINUTE);
  expect(told(programs, 'notice.opened')).toHaveLength(1);
  expect(told(programs, 'linewatch.state')).toEqual(['the deliveries to people met an unforeseen error (TypeError)']);
  expect(told(programs, 'receiver.failed')).toEqual(['unforeseen error (TypeError)']);
  broken = false;
  await running.pass(10 * MINUTE);
  expect(told(people, 'notice.opened')).toHaveLength(1);
  await running.stop();
});

test('what Linewatch cannot take in of itself keeps nothing else from being taken in', async () => {
  const all = scene();
  const { programs, people } = all;
  const running = await start(all);
  await running.pass(MINUTE);
  const { own } = running.daemon;
  await expect(
    own.happened({ kind: 'unwatched', source: 'x', alerts: null as never, ongoing: new Set() }),
  ).rejects.toThrow(TypeError);
  people.conduct = () => ({ kind: 'permanent', code: 'gone', reason: 'no such channel' });
  all.provider.openNotice({ subject: 'Calls fail', components: ['Trunks'] });
  await running.pass(MINUTE);
  expect(told(programs, 'receiver.failed')).toEqual(['no such channel']);
  await running.stop();
});

test('a source that cannot be shown leaves the page its others', async () => {
  const all = scene();
  const running = await start(all);
  await running.pass(MINUTE);
  const { daemon } = running;
  const state = { baseUrl: '', snapshot: { health: { blind: {}, unreachable: false }, notices: 5 }, alerts: null };
  const failed: string[] = [];
  const known = [...daemon.sources, { name: 'odd', state: state as never }];
  const { sources } = buildStatus({
    instance: 'hq',
    timezone: 'UTC',
    now: all.clock.now(),
    startedAt: START,
    sources: known.map((source) => knownSource(source.name, source.state, START)),
    own: daemon.own.state,
    receivers: [],
    unsaved: [],
    failed: (source) => void failed.push(source),
  });
  expect(sources.map(({ name, state: is }) => [name, is])).toEqual([
    ['provider', 'Operational'],
    ['other', 'Operational'],
    ['odd', 'Cannot be shown'],
  ]);
  expect(failed).toEqual(['odd']);
  await running.stop();
});
