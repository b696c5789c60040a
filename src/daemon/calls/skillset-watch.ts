/** Since when each skillset lacks agents, and when to look at it again: as soon as that has lasted for its `for`. */
import { judgeSkillsets, type Unstaffed, type UnstaffedSkillset } from '../../core/calls/agents.ts';
import type { Skillset } from '../../core/calls/call-model.ts';
import type { CallSettings } from '../../core/calls/call-settings.ts';
import type { AccountState } from '../../core/engine/account-kind.ts';
import { findMinimum } from '../../core/transition/collections.ts';
import { isRegisteredIn, listToldUnstaffed } from './phones-and-calls.ts';

export type SkillsetWatch = ReturnType<typeof createSkillsetWatch>;

export function createSkillsetWatch({ skillsets }: Pick<CallSettings, 'skillsets'>, state: () => AccountState) {
  let unstaffed: Unstaffed | null = null;
  let found: readonly UnstaffedSkillset[] | null = null;
  let readAt = -Infinity;
  return {
    /** Null until skillsets are read, and after a reading that failed. */
    get found() {
      return found;
    },
    /** `at`: epoch milliseconds at which the reading began; null rows if it failed. */
    take(rows: readonly Skillset[] | null, at: number) {
      readAt = at;
      found = null;
      if (rows === null) return;
      const known = unstaffed ?? listToldUnstaffed(state());
      const judged = judgeSkillsets(known, rows, skillsets, { now: at, isRegistered: isRegisteredIn(state()) });
      ({ unstaffed, found } = judged);
    },
    /** Milliseconds until the next shortage has lasted long enough to be reported; Infinity for none. */
    waitMs(now: number) {
      const ends = skillsets.flatMap(({ name, forMs }) => {
        const since = unstaffed?.[name];
        return since === undefined || since + forMs <= readAt ? [] : [since + forMs - now];
      });
      return findMinimum(ends);
    },
  };
}
