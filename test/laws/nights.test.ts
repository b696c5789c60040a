/**
 * What holds in every night, whatever happens in it: nights with a known truth through the daemon, judged by what people
 * were told. How often the right cause is named is a figure and no law: `npm run bench:nights`.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { nights } from '../nights/kinds.ts';
import { judge, type Judgement } from '../nights/oracle.ts';
import { play } from '../nights/play.ts';
import { runs } from '../support/runs.ts';

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

test('every phone that is lost is read of', () => {
  expect(breaches(({ verdicts }) => verdicts.filter(({ isUntold }) => isUntold).map(({ culprit }) => culprit))).toEqual(
    [],
  );
});
