/** An alert as it is kept: what people and programs were told, and what it takes to go on with it. */
import type { AlertView, Change } from './alert.ts';

export const ORIGINS = ['notice', 'trouble', 'source', 'phones', 'toggle'] as const;
export type Origin = (typeof ORIGINS)[number];

export interface Alert extends AlertView {
  number: number;
  status: 'open' | 'resolved';
  origin: Origin;
  /** The notice whose life it follows. */
  notice: string | null;
  /** `page` and `component/ID` that are not operational on its account; `access` where that is refused. */
  subjects: string[];
  openedAt: number;
  /** All its components are left out of the watch: recorded and not told. */
  muted: boolean;
  /** Was open when the watch began and still awaits the summary. */
  awaitsSummary: boolean;
  /** Receivers that were told of it: they are told its end too, and reminded while it stays open. */
  told: Told[];
  /** What a reminder repeats. */
  lastChange: Change | null;
}

export interface Told {
  receiver: string;
  /** When it was last told or reminded, epoch milliseconds. */
  at: number;
  reminders: number;
  /** It has gone on since, when the receiver was not configured. */
  missed?: boolean;
  /** What its title was then: the subject of the conversation, which stays. */
  subject?: string;
}

export function viewOf(alert: Alert): AlertView {
  const { id, number, source, severity, title, still, startedAt, resolvedAt, cause, hits } = alert;
  return {
    id,
    number,
    source,
    severity,
    title,
    ...(still !== undefined && { still }),
    startedAt,
    resolvedAt,
    cause,
    ...(hits !== undefined && { hits }),
  };
}

/** Closed alerts are remembered this long, so that a reopened notice continues its thread. */
export const REMEMBERED_FOR_MS = 30 * 24 * 3_600_000;
