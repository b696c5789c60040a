/** Titles of the notices that losses name as their cause. */
import type { Change } from '../../alert/alert.ts';
import type { SharedAlert } from '../../alert/shared-alert.ts';
import type { Message } from '../../outbox/message.ts';
import type { CauseDetails } from '../../transition/details.ts';
import { formatCauseClause, listCauseSentences, nameCause } from './why.ts';

type NamedNotice = NonNullable<NonNullable<SharedAlert['notice']>['alert']>;

/** The same message with the current title of its notice: the provider may have renamed it while the message waited. */
export function updateCauseTitles(message: Message): Message {
  const notice = message.seen?.shared?.notice?.alert;
  if (notice === undefined) return message;
  return { ...message, changes: message.changes.map((change) => updateTitle(change, notice)) };
}

function updateTitle(change: Change, notice: NamedNotice): Change {
  const { transition } = change;
  if (transition.kind === 'registration.mass' && transition.details.explained_by !== undefined) {
    const { details } = transition;
    const explained_by = withTitle(transition.details.explained_by, notice);
    return { ...change, transition: { ...transition, details: { ...details, explained_by } } };
  }
  if (transition.kind === 'outage.suspected' && transition.details.admitted !== null) {
    const { details } = transition;
    const admitted = withTitle(transition.details.admitted, notice);
    return { ...change, transition: { ...transition, details: { ...details, admitted } } };
  }
  return change;
}

/** `named`: the cause in the headline. A sentence that repeats it gives way to the title of the notice alone. */
export function dropRepeatedCauses(
  sentences: readonly string[],
  named: string | null,
  changes: readonly Pick<Change, 'transition'>[],
): string[] {
  const titles = new Map(
    changes.flatMap(({ transition }) => {
      const cause = transition.kind === 'registration.mass' ? transition.details.explained_by : undefined;
      if (cause === undefined || formatCauseClause(cause) !== named) return [];
      return listCauseSentences(cause).map((said) => [said, nameCause(cause)] as const);
    }),
  );
  return sentences.map((sentence) => titles.get(sentence) ?? sentence);
}

function withTitle<T extends CauseDetails>(cause: T, { id, title }: NamedNotice): T {
  return cause.alert === id ? { ...cause, title } : cause;
}
