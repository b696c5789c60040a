/** Passes committed state to the history, in the history's format. */
import type { Alert } from '../../core/alert/alert.ts';
import type { Silence } from '../../core/alert/silence.ts';
import type { KeptState, StepContext } from '../../core/engine/step.ts';
import type { AccountSnapshot } from '../../core/account/account-snapshot.ts';
import { listWatchedNotices } from '../../core/history/past-notice.ts';
import { countPhonesBySite, listStates } from '../../core/history/standing.ts';
import type { Snapshot } from '../../core/page/snapshot.ts';
import type { History } from '../../history/history-writer.ts';
import { toNoticeRow } from '../../history/past-notices.ts';
import type { Committed } from '../../history/write-buffer.ts';

/** The parts of a source's state, or Linewatch's own, that the history needs. */
export interface HistoryFeedState extends Pick<KeptState, 'unrecorded'> {
  alerts: readonly Alert[];
  silences?: readonly Silence[];
  /** Snapshot of a source, and the time of its last observation. */
  snapshot?: Snapshot | AccountSnapshot | undefined;
  observedAt?: number | null;
}

export type HistoryFeed = ReturnType<typeof createHistoryFeed>;

const NOTHING = { states: null, phones: null };

/** `sites` names the external addresses of an account. Does nothing without a history. */
export function createHistoryFeed(
  history: History | undefined,
  now: () => number,
  sites: (account: string) => Readonly<Record<string, string>>,
) {
  /** By account, the last value passed on. Snapshots are immutable, so identity shows a change. */
  const counted = new Map<string, AccountSnapshot['phones']>();
  /** By page, likewise. */
  const looked = new Map<string, Snapshot['notices']>();

  function standing(source: string, snapshot: HistoryFeedState['snapshot']): Pick<Committed, 'states' | 'phones'> {
    if (snapshot === undefined) return NOTHING;
    if (!('clock' in snapshot)) return { ...NOTHING, states: snapshot.components && listStates(snapshot) };
    const { phones } = snapshot;
    if (phones === null || phones === counted.get(source)) return NOTHING;
    counted.set(source, phones);
    return { ...NOTHING, phones: countPhonesBySite(snapshot, sites(source)) };
  }

  function ended(source: string, snapshot: HistoryFeedState['snapshot']): void {
    if (snapshot === undefined || 'clock' in snapshot || looked.get(source) === snapshot.notices) return;
    looked.set(source, snapshot.notices);
    const over = listWatchedNotices(source, snapshot);
    if (over.length > 0) history?.noticed(over.map(toNoticeRow));
  }

  return {
    /** Called after each commit of a source, and at the start for earlier commits. */
    committed(source: string, { unrecorded = [], alerts, silences, snapshot, observedAt }: HistoryFeedState) {
      if (history === undefined) return;
      const at = observedAt ?? now();
      ended(source, snapshot);
      history.committed(source, { at, unrecorded, alerts, silences, ...standing(source, snapshot) });
    },
  };
}

/** A new address under the same name is another source, but records of the old one still go to the history. */
export function keepUnrecorded({ unrecorded }: Pick<KeptState, 'unrecorded'>): Pick<KeptState, 'unrecorded'> {
  return unrecorded === undefined ? {} : { unrecorded };
}

/** Records that the history has already stored; nothing without a history, as no records wait for it. */
export function listRecorded(
  { unrecorded = [] }: Pick<KeptState, 'unrecorded'>,
  history: Pick<History, 'isRecorded'> | undefined,
): Pick<StepContext, 'recorded'> {
  if (history === undefined) return {};
  const ids = unrecorded.map(({ transition }) => transition.id);
  return { recorded: new Set(ids.filter(history.isRecorded)) };
}
