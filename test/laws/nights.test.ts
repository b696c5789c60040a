/**
 * What holds in every night, whatever happens in it: nights with a known truth through the daemon, judged by what people
 * were told. How often the right cause is named is a figure and no law: `npm run bench:nights`.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { nights } from '../nights/kinds.ts';
import { judge, type Judgement } from '../nights/oracle.ts';
import { play } from '../nights/play.ts';
import { WORD_FAULTS } from '../nights/words.ts';
import { runs } from '../support/runs.ts';

/** Extensions that were deleted with their site: nobody says yet that they are gone. */
const DELETED = /^closed: a site with all its extensions/;

const seed = fc.readConfigureGlobal()?.seed ?? 1;
const judged: Judgement[] = [];

beforeAll(async () => {
  for (const night of nights(runs(36).numRuns, seed)) {
    judged.push(judge(night, await play(night)));
  }
}, 3_600_000);

/** One line a breach; `npm run bench:nights -- N --seed S --show NIGHT` plays it again and shows everything. */
function breaches(of: (judgement: Judgement) => readonly string[]): string[] {
  return judged.flatMap((one) => of(one).map((breach) => `${one.kind}, night ${one.seed}: ${breach}`));
}

test('nothing ends while phones it is about are out', () => {
  expect(breaches(({ falseAllClears }) => falseAllClears)).toEqual([]);
});

test('noise alarms nobody', () => {
  expect(breaches(({ falseAlarms }) => falseAlarms)).toEqual([]);
});

test('what grows is told: of half of the peak people have read within two polls', () => {
  expect(breaches(({ silentGrowth }) => silentGrowth)).toEqual([]);
});

test('no advice contradicts an earlier line of the same alert without a word of it', () => {
  expect(breaches(({ contradictions }) => contradictions)).toEqual([]);
});

test.each(WORD_FAULTS.filter((fault) => fault !== 'repeated'))('as it is read, no message is %s', (fault) => {
  expect(breaches(({ kind, words }) => (DELETED.test(kind) ? [] : words[fault]))).toEqual([]);
});

test('no thread has two messages in the same words, and no two numbers the same end', () => {
  expect(breaches(({ words }) => words.repeated)).toEqual([]);
});

test('no thread is less sure of its cause than it was', () => {
  expect(breaches(({ certaintyFalls }) => certaintyFalls)).toEqual([]);
});

test('what is lost stands before its cause in every title', () => {
  expect(breaches(({ causesFirst }) => causesFirst)).toEqual([]);
});

test('every phone that is lost is read of', () => {
  expect(breaches(({ verdicts }) => verdicts.filter(({ isUntold }) => isUntold).map(({ culprit }) => culprit))).toEqual(
    [],
  );
});

describe('a firm that serves many customers', () => {
  /** Read of by the receiver of one customer, and by whoever reads of all. */
  const MOST_TO_A_CUSTOMER = 8;
  const MOST_TO_THE_FIRM = 45;
  const firms: Judgement[] = [];

  beforeAll(async () => {
    for (const night of nights(runs(60).numRuns, seed, 'firm: ')) firms.push(judge(night, await play(night)));
  }, 3_600_000);

  test('each customer reads of it, and reads few messages', () => {
    const read = firms.flatMap(({ kind, seed: night, ofCustomers }) =>
      ofCustomers.map(({ customer, messages }) => ({ night: `${kind}, night ${night}: ${customer}`, messages })),
    );
    expect(read.filter(({ messages }) => messages > MOST_TO_A_CUSTOMER)).toEqual([]);
    expect(read.filter(({ messages }) => messages > 0).length).toBeGreaterThan(firms.length);
  });

  test('the firm reads few messages of all of them', () => {
    const read = firms.map(({ kind, seed: night, messages }) => ({ night: `${kind}, night ${night}`, messages }));
    expect(read.filter(({ messages }) => messages > MOST_TO_THE_FIRM)).toEqual([]);
  });
});
