/** Who leads which group: as evenly as it goes, and nothing moves without need. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignShards } from '../../../src/daemon/members/shard-assignment.ts';
import { breach } from '../../support/runs.ts';

const MEMBERS = ['one', 'two', 'three', 'four', 'five'];

test('groups are shared evenly, and only what has to move moves', async () => {
  const arbitrary = fc.record({
    count: fc.integer({ min: 1, max: 12 }),
    members: fc.integer({ min: 1, max: 5 }),
    holders: fc.array(fc.option(fc.nat(4)), { minLength: 12, maxLength: 12 }),
  });
  const law = async ({
    count,
    members: so,
    holders,
  }: {
    count: number;
    members: number;
    holders: (number | null)[];
  }) => {
    const groups = Array.from({ length: count }, (_, index) => index + 1);
    const members = MEMBERS.slice(0, so);
    const held = new Map(
      groups.flatMap((group): [number, string][] => {
        const holder = MEMBERS[holders[group - 1] ?? -1];
        return holder === undefined ? [] : [[group, holder]];
      }),
    );
    const share = assignShards(groups, members, held);
    const has = (of: ReadonlyMap<number, string>, member: string): number[] =>
      groups.filter((group) => of.get(group) === member);
    expect([...share.keys()].toSorted((a, b) => a - b)).toEqual(groups);
    for (const member of members) {
      const [before, after] = [has(held, member), has(share, member)];
      expect(after.length).toBeGreaterThanOrEqual(Math.floor(count / so));
      expect(after.length).toBeLessThanOrEqual(Math.ceil(count / so));
      // It gives up what is too much, or else only gets.
      const kept = before.filter((group) => after.includes(group)).length;
      expect(kept).toBe(Math.min(before.length, after.length));
    }
    // Once it is so, it stays; in whatever order the members are known.
    expect(assignShards(groups, members.toReversed(), held)).toEqual(share);
    expect(assignShards(groups, members, share)).toEqual(share);
    const joined = assignShards(groups, [...members, 'six'], share);
    for (const group of groups) expect([share.get(group), 'six']).toContain(joined.get(group));
    return await Promise.resolve();
  };
  expect(await breach(arbitrary, law, 3_000)).toBeNull();
});

test('a group of a member that is gone goes by its name, wherever it is asked', () => {
  const holders = new Map([
    [1, 'one'],
    [2, 'gone'],
    [3, 'two'],
    [4, 'gone'],
  ]);
  const share = assignShards([1, 2, 3, 4], ['one', 'two'], holders);
  expect([share.get(1), share.get(3)]).toEqual(['one', 'two']);
  expect(new Set([share.get(2), share.get(4)])).toEqual(new Set(['one', 'two']));
  expect(assignShards([1, 2], [], holders)).toEqual(new Map());
});
