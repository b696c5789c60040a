/** What the member that leads tells of the others: once, with its end, whoever leads meanwhile. */
import { describe, expect, test } from 'vitest';
import { createOwnState, type OwnState, SELF, type SelfEvent } from '../../../src/core/engine/self-source.ts';
import { listMemberNews } from '../../../src/core/engine/member-trouble.ts';
import { performStep } from '../../../src/core/engine/step.ts';
import { createMembersWatch } from '../../../src/daemon/members/members-watch.ts';
import { listTakeoverEvents } from '../../../src/daemon/members/takeover-events.ts';
import type { ComparedMember } from '../../../src/daemon/members/config-differences.ts';
import { routingTo } from '../../support/routing.ts';
import { frozen } from '../../support/frozen.ts';

const LEASE_MS = 6_000;
const LOOK_MS = 2_000;
const SHARD = { number: 2, sources: ['acme', 'umbrella'] };
const LEADING: ComparedMember = {
  name: 'one',
  version: '1.0.0',
  standing: 'leading',
  epoch: 1,
  leads: null,
  silentMs: 0,
  lagMs: 3,
  clockAheadMs: 0,
  process: null,
  share: 1,
  configuration: null,
  difference: null,
  seenAt: '',
};
const STANDING_BY: ComparedMember = { ...LEADING, name: 'two', standing: 'standing by', epoch: null };

/** What is told while members lead one after the other; they share what is kept. `layout`: how whoever looks divides the sources. */
function leading(layout?: string) {
  let now = 0;
  let state: OwnState = createOwnState();
  const told: string[] = [];
  let watch = createMembersWatch({ leaseMs: LEASE_MS, clock: { monotonic: () => now } });

  function happens(event: SelfEvent): void {
    const out = performStep(SELF, frozen(state), frozen(event), {
      now: 1_000_000 + now,
      nextNumber: 1,
      routing: routingTo([]),
      settled: new Set(),
    });
    ({ state } = out);
    for (const { transition } of out.entered) if (transition.kind === 'linewatch.state') told.push(transition.to);
  }

  return {
    told,
    happens,
    /** `silentMs` grows by itself where it is above 0. */
    looks(times: number, members: readonly ComparedMember[]): void {
      for (let look = 0; look < times; look += 1) {
        now += LOOK_MS;
        const seen = watch.check(members, layout === undefined ? undefined : { shards: [], layout });
        if (seen !== null) happens(seen);
      }
    },
    isAway: (ms: number) => void (now += ms),
    anotherLeads: () => void (watch = createMembersWatch({ leaseMs: LEASE_MS, clock: { monotonic: () => now } })),
  };
}

describe('a member that is not heard of', () => {
  const silent = { ...STANDING_BY, silentMs: LEASE_MS + 1 };

  test('is told of once it has lasted, and once only, and so is its end', () => {
    const { looks, told } = leading();
    looks(10, [LEADING, STANDING_BY]);
    looks(10, [LEADING, silent]);
    expect(told).toEqual([]);
    looks(5, [LEADING, silent]);
    expect(told).toEqual(['two is not heard of any more']);
    looks(200, [LEADING, silent]);
    expect(told).toHaveLength(1);
    looks(200, [LEADING, STANDING_BY]);
    expect(told).toEqual(['two is not heard of any more', 'two is heard of again']);
  });

  test('is not told of again by the next that leads, who tells its end', () => {
    const { looks, told, anotherLeads } = leading();
    looks(20, [LEADING, silent]);
    anotherLeads();
    looks(20, [LEADING, silent]);
    expect(told).toHaveLength(1);
    anotherLeads();
    looks(1, [LEADING, STANDING_BY]);
    expect(told.at(-1)).toBe('two is heard of again');
  });

  test('is told of with who leads its shards now, where the sources are shared', () => {
    let now = 0;
    const watch = createMembersWatch({ leaseMs: LEASE_MS, clock: { monotonic: () => now } });
    const leads = { layout: 'groups/3/x', groups: [2, 3] };
    const gone = { ...silent, leads };
    const shards = [
      { shard: 1, sources: ['provider'], holder: 'one', epoch: 1, renewedMs: 0 },
      { shard: 2, sources: ['acme', 'umbrella', 'initech', 'hooli'], holder: 'one', epoch: 2, renewedMs: 0 },
      { shard: 3, sources: ['contoso'], holder: null, epoch: 2, renewedMs: null },
    ];
    let seen: ReturnType<typeof watch.check> = null;
    const divided = { shards, layout: leads.layout };
    for (; now < 5 * LEASE_MS; now += LOOK_MS) seen = watch.check([LEADING, gone], divided) ?? seen;
    expect(seen === null ? [] : listMemberNews({}, seen)).toEqual([
      {
        what: 'two is not heard of any more',
        reason:
          'It was not stopped: look after it. Shard 2 (acme, umbrella, initech and 1 more) is led by one now. ' +
          'Shard 3 (contoso) is led by nobody. one is alone: if it fails, nobody takes over. ' +
          'If it is gone for good, "linewatch member forget two" gives the others its part of the requests.',
      },
    ]);
  });

  test('is no trouble where it was stopped', () => {
    const { looks, told } = leading();
    looks(20, [LEADING, { ...silent, standing: 'stopped' }]);
    expect(told).toEqual([]);
  });

  test('is not believed of looks that the database kept apart', () => {
    const { looks, told, isAway } = leading();
    looks(1, [LEADING, silent]);
    isAway(10 * LEASE_MS);
    looks(11, [LEADING, silent]);
    expect(told).toEqual([]);
  });

  test('is not told of where the change of leader has told it; its end is', () => {
    const { looks, told, happens } = leading();
    const former = { ...LEADING, name: 'zero', silentMs: LEASE_MS + 1 };
    for (const event of listTakeoverEvents({
      taken: { former: 'zero/x', unledMs: 200, hasLapsed: true },
      view: { self: 'one', leader: 'one', isCutOff: false, all: [{ ...former, standing: 'silent' }] },
      shard: SHARD,
      leaseMs: LEASE_MS,
    })) {
      happens(event);
    }
    looks(20, [LEADING, former]);
    expect(told).toEqual([]);
    looks(1, [LEADING, { ...former, silentMs: 0, standing: 'standing by' }]);
    expect(told).toEqual(['zero is heard of again']);
  });

  test('is forgotten without a word where nobody knows it any more', () => {
    const { looks, told } = leading();
    looks(20, [LEADING, silent]);
    looks(200, [LEADING]);
    expect(told).toHaveLength(1);
  });
});

describe('a member that divides the sources otherwise', () => {
  const [HERE, THERE] = ['groups/2/now', 'groups/2/before'];
  const dividing = (layout: string): Pick<ComparedMember, 'leads'> => ({ leads: { layout, groups: [] } });
  const all = (layout: string): ComparedMember[] => [
    { ...LEADING, ...dividing(HERE) },
    { ...STANDING_BY, ...dividing(layout) },
  ];

  test('is told of once a reload of all had its time, and once only, and so is its end', () => {
    const { looks, told } = leading(HERE);
    looks(30, all(THERE));
    expect(told).toEqual([]);
    looks(200, all(THERE));
    expect(told).toEqual(['two divides the sources otherwise than one']);
    looks(1, all(HERE));
    expect(told.at(-1)).toBe('two divides the sources like the others again');
    looks(200, all(HERE));
    expect(told).toHaveLength(2);
  });

  test('is no trouble where it was stopped, or knows of no shards', () => {
    const { looks, told } = leading(HERE);
    const [one, two] = all(THERE);
    if (one === undefined || two === undefined) throw new Error('unreachable');
    looks(200, [one, { ...two, standing: 'stopped' }]);
    looks(200, [one, { ...two, leads: null }]);
    expect(told).toEqual([]);
  });
});

describe('clocks', () => {
  test('of a member that differ by seconds are told once, and their end', () => {
    const { looks, told } = leading();
    const wrong = { ...STANDING_BY, clockAheadMs: 5_000 };
    looks(100, [LEADING, wrong]);
    // Between the two marks it is as it was.
    looks(100, [LEADING, { ...wrong, clockAheadMs: 1_500 }]);
    looks(100, [LEADING, { ...wrong, clockAheadMs: -40 }]);
    expect(told).toEqual(['the clock of two is 5 s ahead of that of the database', 'the clock of two is right again']);
  });

  test('are not judged by one slow answer', () => {
    const { looks, told } = leading();
    looks(2, [LEADING, { ...STANDING_BY, clockAheadMs: -5_000 }]);
    looks(20, [LEADING, STANDING_BY]);
    expect(told).toEqual([]);
  });

  test('that all differ from the database alike are the fault of its own', () => {
    const { looks, told } = leading();
    const all = [LEADING, STANDING_BY].map((each) => ({ ...each, clockAheadMs: 7_000 }));
    looks(20, all);
    looks(20, [LEADING, STANDING_BY]);
    expect(told).toEqual([
      'the clock of the database is 7 s behind those of all members',
      'the clock of the database is right again',
    ]);
  });
});

describe('a configuration', () => {
  const parts = { lacks: ['page p2'], adds: [], differs: ['receiver ops', 'route'] };
  const other = { ...STANDING_BY, difference: { than: 'one', parts } };

  test('that differs is told of once it has lasted, with what differs, and so is its end', () => {
    const { looks, told } = leading();
    looks(29, [LEADING, other]);
    expect(told).toEqual([]);
    looks(100, [LEADING, other]);
    expect(told).toEqual(['two has another configuration than one']);
    looks(2, [LEADING, STANDING_BY]);
    expect(told.at(-1)).toBe('two has the same configuration again');
    const trouble = { kind: 'configuration', member: 'two', ...other.difference, difference: parts } as const;
    const seen = { kind: 'members', members: ['one', 'two'], troubles: [trouble], well: [] } as const;
    expect(listMemberNews({}, seen)[0]?.reason).toBe(
      'It lacks page p2; receiver ops and route differ. Give all members the same configuration, and reload them.',
    );
  });

  test('is told of as another division of the sources, where it is that', () => {
    const { looks, told } = leading('groups/2/x');
    const own = { ...LEADING, leads: { layout: 'groups/2/x', groups: [1] } };
    looks(50, [own, { ...other, leads: { layout: 'groups/2/y', groups: [] } }]);
    expect(told).toEqual(['two divides the sources otherwise than one']);
  });
});

describe('the beginning of a term', () => {
  const all = [{ ...STANDING_BY, standing: 'standing by' as const }];
  const told = (former: string | null, unledMs: number | null, hasLapsed: boolean, others = all) =>
    listTakeoverEvents({
      taken: { former, unledMs, hasLapsed },
      view: { self: 'one', leader: 'one', isCutOff: false, all: others },
      shard: SHARD,
      leaseMs: LEASE_MS,
    });

  test('says nothing where the same one goes on in time, or nobody was before', () => {
    expect(told(null, null, false)).toEqual([]);
    expect(told('one/x', 100, true)).toEqual([]);
  });

  test('says that nobody took over in time, where somebody should have', () => {
    expect(told('one/x', 40_000, true)).toMatchObject([{ what: 'nobody watched for about 40 s' }]);
    expect(told('one/x', 40_000, false)).toMatchObject([{ what: 'nobody watched for about 40 s' }]);
    expect(told('one/x', 40_000, false, [])).toEqual([]);
    expect(told('zero/x', 40_000, true)).toMatchObject([
      { from: 'zero', isSilent: true, reason: expect.stringContaining('Nobody watched for about 40 s.') as string },
    ]);
  });

  test('does not call one silent that is back', () => {
    expect(told('two/x', 100, true)).toMatchObject([
      { from: 'two', isSilent: false, reason: 'two ended or paused without handing over, and is back.' },
    ]);
    expect(told('two/x', 100, false)).toMatchObject([{ isSilent: false, reason: 'two was stopped and handed over.' }]);
  });

  test('of one shard of several is no news, unless nobody watched it', () => {
    const shards = [{ shard: 2, sources: SHARD.sources, holder: 'one', epoch: 2, renewedMs: 0 }];
    const view = { self: 'one', leader: 'one', isCutOff: false, all, shards };
    const taken = { former: 'two/x', unledMs: 100, hasLapsed: true };
    const of = { view, shard: SHARD, leaseMs: LEASE_MS };
    expect(listTakeoverEvents({ ...of, taken })).toEqual([]);
    expect(listTakeoverEvents({ ...of, taken: { ...taken, unledMs: 40_000 } })).toEqual([
      {
        kind: 'state',
        what: 'nobody watched shard 2 for about 40 s',
        reason: 'two ended without handing over, and one goes on now. The shard is acme and umbrella.',
      },
    ]);
  });
});
