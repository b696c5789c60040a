/** What was decided of a loss in a step, with its reason: for whoever asks later why he was told this, or was not told. */
import type { Transition } from '../transition/transition.ts';
import type { AccountAlert } from './account-alert.ts';
import type { Because } from './because.ts';

export type Decision =
  /** The first thing it is blamed on, or another one than `before`. */
  | { decision: 'named'; alert: number; because: Because }
  | { decision: 'changed'; alert: number; because: Because; before: Because }
  /** People are not told of this now: `because` explains it to them, or too little has changed where that is null. */
  | { decision: 'held'; alert: number; because: Because | null; transition: Transition };

export function blamed(before: readonly AccountAlert[], after: readonly AccountAlert[]): Decision[] {
  const known = new Map<string, Because>(
    before.flatMap((alert): [string, Because][] =>
      alert.because === undefined ? [] : [[keyOf(alert), alert.because]],
    ),
  );
  return after.flatMap((alert): Decision[] => {
    const { number, because } = alert;
    const was = known.get(keyOf(alert));
    if (because === undefined) return [];
    if (was === undefined) return [{ decision: 'named', alert: number, because }];
    return isSame(was, because) ? [] : [{ decision: 'changed', alert: number, because, before: was }];
  });
}

export function heldBack({ number, explainedBy, because }: AccountAlert, transition: Transition): Decision {
  const explains = explainedBy === null ? undefined : because;
  return { decision: 'held', alert: number, because: explains ?? null, transition };
}

function keyOf({ id, group }: AccountAlert): string {
  return `${id} ${group}`;
}

/** The numbers may have moved. */
function isSame(one: Because, other: Because): boolean {
  if (one.kind === 'named' && other.kind === 'named') {
    return one.domain.kind === other.domain.kind && one.domain.name === other.domain.name;
  }
  if (one.kind === 'explained' && other.kind === 'explained') return one.number === other.number;
  return one.kind === other.kind;
}
