/** Events of an alert in order, from its transitions in the history. Times are epoch milliseconds. */
import type { TransitionRecord } from '../../history/record.ts';
import { listNoticeUpdates } from '../../report/outage-evidence.ts';
import { isWorse, type Kind, type Severity, type Status } from '../../transition/kind.ts';
import type { Acknowledgement } from '../../alert/alert.ts';
import { formatCount } from '../../text/plain.ts';
import { pickVendor } from '../../transition/transition.ts';
import { formatChangeValues, describeChangeValues } from '../../wording/change-words.ts';
import { describeChange } from '../../wording/combine.ts';
import type { Setting } from '../../wording/wording.ts';
import type { SaidByProvider } from '../system-status.ts';

/** One notice may change many components: only the first few are named. */
const MOST_FLIPS = 6;

/** Changes of one source at one time. */
export interface AlertMoment {
  at: number;
  source: string;
  /** Ids of its transitions. */
  ids: string[];
  kind: Kind;
  status: Status;
  severity: Severity;
  headline: string;
  /** Old and new value in words; null if there is none on that side. */
  from: string | null;
  to: string | null;
  /** Consequences in full sentences, and the components that changed with it. */
  notes: string[];
  /** The provider's texts. */
  words: SaidByProvider[];
  /** A text that the provider changed silently. */
  edit: { before: string; after: string } | null;
}

/** Changes of one sweep form one moment: a notice includes the components that changed with it. */
export function listMoments(records: readonly TransitionRecord[], setting: Setting): AlertMoment[] {
  const byLook = Map.groupBy(records, ({ transition: { at, source } }) => `${at} ${source}`);
  const { undoneBy } = findAcknowledgements(records);
  const momentOf = (record: TransitionRecord, flips: readonly TransitionRecord[]): AlertMoment =>
    momentWith(record, flips, undoneBy, setting);
  return [...byLook.values()].flatMap((seen) => {
    const flips = seen.filter(({ transition }) => transition.kind === 'component.state');
    const others = seen.filter((record) => !flips.includes(record));
    if (others.length > 0) {
      return others.map((record, index) => momentOf(record, index === 0 ? flips : []));
    }
    const [first, ...more] = flips;
    return first === undefined ? [] : [momentOf(first, more)];
  });
}

/** The last acknowledgement, and the ids of the transitions that ended it: see `core/alert/acknowledgement.ts`. */
export function findAcknowledgements(records: readonly TransitionRecord[]): {
  last: Acknowledgement | null;
  undoneBy: Set<string>;
} {
  let last: Acknowledgement | null = null;
  const undoneBy = new Set<string>();
  const severities = new Map<string, Severity>();
  for (const { transition, status, alert } of records) {
    const { id, source, kind, at } = transition;
    const before = severities.get(source);
    const severity = alert?.severity ?? before;
    if (severity !== undefined) severities.set(source, severity);
    if (transition.kind === 'alert.acknowledged') {
      last = transition.to === null ? null : { by: transition.to, comment: transition.details.comment, at };
      continue;
    }
    const hasRisen = before !== undefined && severity !== undefined && isWorse(severity, before);
    if (last === null || !(status === 'open' || hasRisen || kind === 'registration.mass')) continue;
    last = null;
    undoneBy.add(id);
  }
  return { last, undoneBy };
}

function momentWith(
  record: TransitionRecord,
  flips: readonly TransitionRecord[],
  undoneBy: ReadonlySet<string>,
  setting: Setting,
): AlertMoment {
  const { transition, status, alert } = record;
  const { at, source, kind, id } = transition;
  const { headline, sentences } = describeChange(record, { ...setting, now: at });
  const ids = [id, ...flips.map((flip) => flip.transition.id)];
  const isUndone = ids.some((one) => undoneBy.has(one));
  const isOfPhones = /^(registration|outage|maintenance|source)\./.test(kind);
  return {
    at,
    source,
    ids,
    kind,
    status,
    severity: alert?.severity ?? 'info',
    headline,
    ...describeChangeValues(transition, { ...setting, now: at }),
    notes: [
      ...(isOfPhones ? sentences : []),
      ...flipNotes(flips, setting),
      ...(isUndone ? ['It has worsened: nobody has it in hand any more.'] : []),
    ],
    words:
      kind === 'notice.edited'
        ? []
        : listNoticeUpdates(record).map((said) => ({ ...said, source, ...pickVendor(transition) })),
    edit:
      transition.kind === 'notice.edited' ? { before: String(transition.from), after: String(transition.to) } : null,
  };
}

function flipNotes(flips: readonly TransitionRecord[], setting: Setting): string[] {
  const notes = flips.flatMap(({ transition }) =>
    transition.kind === 'component.state'
      ? [`${transition.details.name}: ${formatChangeValues(transition, setting)}`]
      : [],
  );
  const more = notes.length - MOST_FLIPS;
  return notes.length === 0
    ? []
    : [
        [...notes.slice(0, MOST_FLIPS), ...(more > 0 ? [`${formatCount(more, 'other part')} likewise`] : [])].join(
          '; ',
        ),
      ];
}
