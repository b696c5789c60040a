/**
 * Nights and days in which phones are elsewhere, away or gone for good, read by their words: one message each, and nobody is
 * sent to a provider, a router or a password for it.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nights } from '../nights/kinds.ts';
import { judge, type Judgement } from '../nights/oracle.ts';
import { play, type Read } from '../nights/play.ts';
import type { Night } from '../nights/night.ts';
import { HOUR } from '../nights/town.ts';
import { runs, TRIES_ALL } from '../support/runs.ts';

const seed = fc.readConfigureGlobal()?.seed ?? 1;

/** Days in which habits are learned, at a third of the looks: in full every minute. */
const SELDOM = { interval: '3m' };

interface Played {
  night: Night;
  /** What each customer read, without what was read while its habits were learned. */
  inboxes: readonly (readonly Read[])[];
  judgement: Judgement;
}

async function played(kind: string, count = runs(3).numRuns): Promise<Played[]> {
  const all: Played[] = [];
  const isHabit = kind.startsWith('habit');
  for (const night of nights(count, seed, kind)) {
    if (isHabit && !TRIES_ALL) for (const { settings } of night.customers) settings['registrations'] = SELDOM;
    const told = await play(night);
    const learned = isHabit ? night.start + 89 * HOUR : night.start;
    const inboxes = [...told.inboxes.values()].map((inbox) => inbox.filter(({ at }) => at >= learned));
    all.push({ night, inboxes, judgement: judge(night, told) });
  }
  return all;
}

const titles = (inbox: readonly Read[]): string[] =>
  inbox.map(({ title }) => title.replace(/ — (after|open for) .*/, ''));

/** `expected`: of each message the words that it must have, in order. */
function expectRead(all: readonly Played[], expected: readonly RegExp[]): void {
  for (const { night, inboxes, judgement } of all) {
    for (const inbox of inboxes) {
      expect(titles(inbox), `${night.kind}, night ${night.seed}`).toEqual(
        expected.map((words) => expect.stringMatching(words)),
      );
    }
    expect(judgement.suspicions, `${night.kind}, night ${night.seed}`).toEqual([]);
    expect(judgement.falseAllClears, `${night.kind}, night ${night.seed}`).toEqual([]);
  }
}

const MOVED = /^All \d+ phones of .+ register from .+ now \(one new address\): its second line\?$/;

test.each(['move: a site to its second line', 'move: a site, registrations of an hour'])(
  '%s',
  async (kind) => {
    const all = await played(kind);
    expectRead(all, [MOVED]);
    expect(all.flatMap(({ inboxes }) => inboxes.flat()).filter(({ text }) => text.includes('password'))).toEqual([]);
  },
  600_000,
);

test('move: and back', async () => {
  const back = /^All \d+ phones of .+ register from .+ again, the address it had before$/;
  expectRead(await played('move: and back'), [MOVED, back]);
}, 600_000);

test('move: half of a site', async () => {
  const half = /^\d+ of \d+ phones of .+ register from .+ now \(one new address\): a second line\?$/;
  expectRead(await played('move: half of a site'), [half]);
}, 600_000);

test('move: one phone', async () => {
  expectRead(await played('move: one phone'), [/^Extension .+ registers from a new network: /]);
}, 600_000);

test('move: phones of one site, each to another address', async () => {
  for (const { inboxes } of await played('move: phones of one site')) {
    const [inbox = []] = inboxes;
    expect(inbox.flatMap(({ changes }) => changes.map(({ kind }) => kind))).toEqual(
      Array.from({ length: 3 }, () => 'registration.network'),
    );
  }
}, 600_000);

test('habit: a holiday', async () => {
  const all = await played('habit: a holiday');
  expectRead(all, [/ are not back at their usual time: a holiday\?$/, / are online again$/]);
}, 600_000);

test('closed: a site with all its extensions', async () => {
  for (const { inboxes } of await played('closed: a site with')) {
    const [inbox = []] = inboxes;
    expect(titles(inbox).at(-1)).toMatch(/^(\d+ extensions are no longer in the account’s list|Extension)/);
    expect(titles(inbox).filter((title) => title.includes('no longer in the account’s list'))).toHaveLength(1);
  }
}, 600_000);

test.each(['site: comes and goes', 'account: comes and goes'])(
  '%s',
  async (kind) => {
    for (const { inboxes, night } of await played(kind)) {
      const [inbox = []] = inboxes;
      expect(inbox.length, `night ${night.seed}`).toBeLessThanOrEqual(12);
      expect(titles(inbox).filter((title) => title.includes('for the 3rd time since'))).toHaveLength(1);
      expect(titles(inbox).at(-1)).toMatch(/ are stable again: online for an hour, lost \d times before that$/);
    }
  },
  600_000,
);
