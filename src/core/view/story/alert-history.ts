/**
 * An alert from the history: its events in order with the texts of the time, its lost phones minute by minute, and each
 * message about it. Times are epoch milliseconds; the provider's text is as received.
 */
import { BELOW } from '../../history/standing.ts';
import type { AlertStory, PhonesRow } from '../../history/rows.ts';
import type { DeliveryRecord, TransitionRecord } from '../../history/record.ts';
import { listNoticeUpdates } from '../../report/outage-evidence.ts';
import { listComponents, mapFelt, type Felt } from '../../report/outages.ts';
import { findMaximum, findMinimum } from '../../transition/collections.ts';
import { compareNames } from '../../text/plain.ts';
import { formatPhoneName } from '../../wording/phones/phone-words.ts';
import { formatNoticeState } from '../../wording/state-words.ts';
import type { Setting } from '../../wording/wording.ts';
import type { Story } from './story.ts';
import type { RecordDetails } from '../../transition/notice-details.ts';
import { collectRecords } from '../../wording/notices/record-wording.ts';
import { listMoments, findAcknowledgements, type AlertMoment } from './moments.ts';
import type { SilenceView } from '../system-status.ts';
import { listPastSilences } from '../silences.ts';

/** One message with its receivers. */
export interface StoryMessage {
  at: number;
  /** 0, or the number of the reminder. */
  reminder: number;
  /** Ids of its transitions. */
  transitions: readonly string[];
  /** Receivers that got it, with milliseconds after it was due. */
  receivers: { receiver: string; afterMs: number; attempts: number }[];
  /** Receivers that refused it permanently, or have not accepted it yet, with their reasons. */
  refused: { receiver: string; detail: string; forGood: boolean }[];
}

/** Registered phones of the affected accounts from this time on, of those expected. */
export interface PhonesAt {
  at: number;
  registered: number;
  total: number;
  bySite: { source: string; site: string; registered: number; total: number }[];
}

export interface AlertHistory {
  moments: AlertMoment[];
  messages: StoryMessage[];
  /** Empty without losses. */
  phones: PhonesAt[];
  /** Names affected at any time. */
  affected: string[];
  /** How often its components were affected before it. */
  before: RecordDetails[];
  /** Silences that muted it at any time, by their start. */
  silences: SilenceView[];
  /** Delays between the provider's report and own losses; null unless it has both. */
  felt: Felt | null;
}

/**
 * Moments in order of time. Throws for a row without a required field, as another version may have written it.
 * `labelsOf`: values of a source that matchers can refer to.
 */
export function buildAlertHistory(
  history: AlertStory,
  setting: Setting,
  labelsOf: (source: string) => Readonly<Record<string, string>>,
): AlertHistory {
  const moments = listMoments(history.transitions, setting);
  const { transitions, deliveries, alerts } = history;
  const [felt = null] = mapFelt(alerts, transitions).values();
  return {
    moments,
    messages: listSentMessages(deliveries, moments),
    phones: phonesThen(history),
    affected: affectedIn([...transitions, ...history.carried]),
    before: collectRecords(transitions.map(({ transition }) => transition)),
    silences: listPastSilences(history, labelsOf, setting.now),
    felt,
  };
}

/** Combines messages with the same content to several receivers: programs get one for each transition. */
function listSentMessages(deliveries: readonly DeliveryRecord[], moments: readonly AlertMoment[]): StoryMessage[] {
  const momentOfId = new Map(moments.flatMap(({ ids }, index) => ids.map((id) => [id, index] as const)));
  const same = Map.groupBy(deliveries, ({ transitions, reminder }) => {
    const of = new Set(transitions.map((id) => momentOfId.get(id) ?? id));
    return `${[...of].join(' ')} ${reminder}`;
  });
  return [...same.values()]
    .flatMap((records): StoryMessage[] => {
      const [first] = records;
      if (first === undefined) return [];
      const byReceiver = [...Map.groupBy(records, ({ receiver }) => receiver)].toSorted(([a], [b]) =>
        compareNames(a, b),
      );
      const outcomes = byReceiver.map(([receiver, all]) => {
        const taken = all.findLast(({ outcome }) => outcome === 'delivered');
        const attempts = findMaximum([...Map.groupBy(all, ({ message }) => message).values()].map((one) => one.length));
        return { receiver, attempts, taken, last: all.at(-1) ?? first };
      });
      return [
        {
          // A waiting message may be sent with another one before it is due.
          at: findMinimum(records.map(({ at, dueAt }) => Math.min(at, dueAt))),
          reminder: first.reminder,
          transitions: [...new Set(records.flatMap(({ transitions }) => transitions))],
          receivers: outcomes.flatMap(({ receiver, attempts, taken }) =>
            taken === undefined ? [] : [{ receiver, afterMs: Math.max(0, taken.at - taken.dueAt), attempts }],
          ),
          refused: outcomes.flatMap(({ receiver, taken, last }) =>
            taken === undefined ? [{ receiver, detail: last.detail, forGood: last.outcome === 'permanent' }] : [],
          ),
        },
      ];
    })
    .toSorted((a, b) => a.at - b.at);
}

/** Sum of all sites at each change; empty if no phone was missing. */
function phonesThen({ phones }: AlertStory): PhonesAt[] {
  const now = new Map<string, PhonesRow>();
  const out: PhonesAt[] = [];
  for (const row of phones.toSorted((a, b) => a.at - b.at)) {
    now.set(`${row.source}\n${row.site}`, row);
    const bySite = [...now.values()]
      .filter(({ total }) => total > 0)
      .map(({ source, site, registered, total, away }) => ({ source, site, registered, total: total - away }));
    const sum = (of: 'registered' | 'total'): number => bySite.reduce((all, each) => all + each[of], 0);
    const step = { at: row.at, registered: sum('registered'), total: sum('total'), bySite };
    if (out.at(-1)?.at === row.at) out.pop();
    out.push(step);
  }
  return out.some(({ registered, total }) => registered < total) ? out : [];
}

/** Story of an alert that only the history has. */
export function buildStoryFromHistory({ alerts, transitions, carried, deliveries }: AlertStory): Story | null {
  // After the end no phone is lost, and the cause describes the loss.
  const [lead] = alerts.toSorted((a, b) => Number(a.family === 'phones') - Number(b.family === 'phones'));
  const last = transitions.findLast(({ alert }) => alert !== null);
  const known = lead ?? (last?.alert && { ...last.alert, startedAt: transitions[0]?.transition.at ?? 0 });
  if (known === undefined || known === null || known.number === null) return null;
  const isOpen = alerts.some(({ status }) => status === 'open');
  const ends = [
    ...alerts.flatMap(({ resolvedAt }) => resolvedAt ?? []),
    ...(alerts.length === 0 ? transitions.slice(-1).map(({ transition }) => transition.at) : []),
  ];
  const notices = transitions.flatMap(({ transition: { details } }) => ('updates' in details ? [details.notice] : []));
  const state = notices.at(-1)?.state ?? null;
  return {
    id: known.id,
    number: known.number,
    also: [],
    title: known.title,
    why: null,
    startedAt: findMinimum([known.startedAt, ...alerts.map(({ startedAt }) => startedAt)]),
    affected: affectedIn([...transitions, ...carried]),
    url: notices.at(-1)?.url ?? null,
    severity: known.severity,
    facts: null,
    status: isOpen ? 'open' : 'resolved',
    endedAt: isOpen ? null : findMaximum(ends),
    state: state === null ? null : formatNoticeState(state),
    notTold: null,
    acknowledged: findAcknowledgements(transitions).last,
    sources: [...new Set([...alerts, ...transitions.map(({ transition }) => transition)].map(({ source }) => source))],
    called: {},
    words: transitions.flatMap((record) =>
      record.transition.kind === 'notice.edited'
        ? []
        : listNoticeUpdates(record).map((said) => ({ ...said, source: record.transition.source })),
    ),
    notified: [...Map.groupBy(deliveries.filter(isTaken), ({ receiver }) => receiver)].map(([receiver, records]) => ({
      receiver,
      type: '',
      at: findMaximum(records.map(({ at }) => at)),
      reminders: findMaximum(records.map(({ reminder }) => reminder)),
      waiting: 0,
      next: null,
    })),
    untold: [],
    silences: [],
  };
}

/** Components and phones. */
function affectedIn(records: readonly TransitionRecord[]): string[] {
  const phones = records.flatMap(({ transition: { details } }) => {
    if ('domain' in details) return details.phones;
    return 'extension' in details ? [{ extension: details.extension, name: details.name }] : [];
  });
  const components = listComponents(records).map((path) => path.split(BELOW).at(-1) ?? path);
  return [...new Set(components), ...new Set(phones.map(formatPhoneName))];
}

function isTaken({ outcome }: DeliveryRecord): boolean {
  return outcome === 'delivered';
}
