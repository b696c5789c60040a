/**
 * Adds changes that are not in the history yet, so that a report includes them. A running daemon writes them first;
 * without one they are read from the committed state.
 */
import type { Alert } from '../core/alert/alert.ts';
import type { AlertRow, HistoryReader, Span } from '../core/history/rows.ts';
import type { TransitionRecord } from '../core/history/record.ts';
import { createPageState } from '../core/engine/page-kind.ts';
import { append } from '../core/transition/collections.ts';
import type { Config } from '../config/config.ts';
import { ControlError } from '../control/client.ts';
import { openDocumentsOf } from '../daemon/common/documents.ts';
import { askIfRunning } from './ask-daemon.ts';
import { withKept } from './kept-state.ts';
import type { Platform } from './platform.ts';

/** A daemon that does not answer, or is too old, has written all but the last minute. */
export async function recordWhatWaits(config: Config): Promise<void> {
  try {
    await askIfRunning(config, 'record', {});
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
  }
}

/** Committed changes that are not in the history: for each source those in its state, whose number is limited. */
interface UnrecordedChanges {
  alerts: readonly AlertRow[];
  /** Oldest first. */
  transitions: readonly TransitionRecord[];
}

/** The history with the committed changes added. In a database the leader has written them. */
export async function withCommitted(reader: HistoryReader, config: Config, platform: Platform): Promise<HistoryReader> {
  if (config.database !== null) return reader;
  return joined(reader, await committedIn(config, platform));
}

async function committedIn(config: Config, platform: Platform): Promise<UnrecordedChanges> {
  return await withKept(config, platform, async (store) => {
    const documents = openDocumentsOf(store, () => undefined);
    const alerts: AlertRow[] = [];
    const transitions: TransitionRecord[] = [];
    for (const name of await documents.sources()) {
      const { value } = await documents.source(name, createPageState(''));
      append(alerts, value.alerts.map(rowOf));
      append(transitions, value.unrecorded ?? []);
    }
    return { alerts, transitions: transitions.toSorted((a, b) => a.transition.at - b.transition.at) };
  });
}

function rowOf(alert: Alert): AlertRow {
  const { source, id, number, severity, title, family, notice, status, cause, startedAt, openedAt, resolvedAt } = alert;
  return { source, id, number, severity, title, family, notice, status, cause, startedAt, openedAt, resolvedAt };
}

function joined(reader: HistoryReader, { alerts, transitions }: UnrecordedChanges): HistoryReader {
  const latest = new Map(alerts.map((alert) => [keyOf(alert), alert]));
  const isIn = ({ startedAt, resolvedAt }: AlertRow, { since, until }: Span): boolean =>
    startedAt < until && (resolvedAt ?? Infinity) >= since;

  return {
    ...reader,
    async sources() {
      const committed = [...alerts.map(({ source }) => source), ...transitions.map((one) => one.transition.source)];
      return [...new Set([...(await reader.sources()), ...committed])].toSorted();
    },
    async longestAlerts(span, source, most) {
      const found = await reader.longestAlerts(span, source, most);
      const rows = new Map(found.alerts.map((alert) => [keyOf(alert), alert]));
      for (const alert of latest.values()) if (alert.source === source) rows.set(keyOf(alert), alert);
      return { ...found, alerts: [...rows.values()].filter((alert) => isIn(alert, span)) };
    },
    async *transitionPages(query) {
      const { since = 0, until = Infinity } = query;
      const missing = new Map(
        transitions
          .filter(({ transition: { at } }) => at >= since && at < until)
          .map((record) => [record.transition.id, record]),
      );
      for await (const page of reader.transitionPages(query)) {
        for (const { transition } of page) missing.delete(transition.id);
        yield page;
      }
      yield [...missing.values()];
    },
  };
}

function keyOf({ source, id }: Pick<AlertRow, 'source' | 'id'>): string {
  return `${source}\n${id}`;
}
