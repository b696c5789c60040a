/** A reader of a history that is a few rows of a test. */
import type { PageRecord } from '../../src/core/history/past-notice.ts';
import type { DeliveryRecord, TransitionRecord } from '../../src/core/history/record.ts';
import type { AlertRow, HistoryReader, PhonesRow, ReadingRow, StateRow } from '../../src/core/history/rows.ts';

export interface Rows {
  keptSince?: number;
  states: readonly StateRow[];
  readings: readonly ReadingRow[];
  phones: readonly PhonesRow[];
  alerts: readonly AlertRow[];
  transitions: readonly TransitionRecord[];
  deliveries: readonly DeliveryRecord[];
  past?: readonly PageRecord[];
}

/** All rows are of every span: what of them lies in one, the report itself decides. */
export function readerOfRows(rows: Rows): HistoryReader {
  const { keptSince, states, readings, phones, alerts, transitions, deliveries } = rows;
  const of = <R extends { source: string }>(all: readonly R[], source?: string): Promise<R[]> =>
    Promise.resolve(all.filter((one) => source === undefined || one.source === source));
  return {
    mark: () => Promise.resolve(''),
    kept: () => Promise.resolve(keptSince === undefined ? null : { since: keptSince, until: keptSince }),
    sources() {
      const happened = transitions.map(({ transition }) => transition);
      const all = [states, readings, phones, alerts, happened].flatMap((some) => some.map(({ source }) => source));
      return Promise.resolve([...new Set(all)]);
    },
    transitionPages: async function* () {
      yield await Promise.resolve(transitions);
    },
    alerts: (_, source) => of(alerts, source),
    async longestAlerts(_, source, most) {
      const found = await of(alerts, source);
      return { alerts: found.slice(0, most), leftOut: Math.max(0, found.length - most) };
    },
    partsIn: () => Promise.resolve([]),
    story: () => Promise.resolve(null),
    states: (_, source) => of(states, source),
    phones: (_, source) => of(phones, source),
    losses: () => of(phones),
    readings: (_, source) => of(readings, source),
    pageRecords: () => Promise.resolve([...(rows.past ?? [])]),
    deliveryPages: async function* () {
      yield await Promise.resolve(deliveries);
    },
  };
}
