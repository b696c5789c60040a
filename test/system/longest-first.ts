/** Order of the files of system tests: those that take minutes first, so that none of them is left for the end alone. */
import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first, of those that wait for more than two minutes. */
const LONGEST = ['members', 'asked-anywhere', 'group-faults', 'calls', 'calls-in-files', 'looks', 'groups'];

function rank({ moduleId }: TestSpecification): number {
  const at = LONGEST.indexOf(basename(moduleId, '.test.ts'));
  return at === -1 ? LONGEST.length : at;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rank(one) - rank(other));
  }
}
