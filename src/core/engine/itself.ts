/**
 * Linewatch about itself: receivers that do not take its messages, trouble with its state, a configuration
 * read again. One document of its own, promised and delivered like everything else.
 */
import type { Alert } from '../alert/record.ts';
import type { Entered } from '../alert/book.ts';
import { SILENCES_REMEMBERED_FOR_MS, endOf, type Silence } from '../alert/silence.ts';
import { plainTitle } from '../alert/titles.ts';
import { identify, identity, type Draft, type Transition } from '../transition/transition.ts';
import { timestamp } from '../transition/details.ts';
import { conclude, type Kept, type StepContext, type Stepped } from './conclude.ts';

/** The name of this source in events and matchers. */
export const ITSELF = 'linewatch';

export interface OwnState extends Kept {
  counters: Readonly<Record<string, number>>;
  silences: Silence[];
  /** When the last digest was due, epoch milliseconds; null before the first. */
  digestedAt: number | null;
}

export function emptyOwnState(): OwnState {
  return { counters: {}, alerts: [], outbox: [], lastNumber: 0, silences: [], digestedAt: null };
}

export type SelfEvent =
  | { kind: 'receiver failed'; receiver: string; since: number; reason: string }
  | { kind: 'receiver recovered'; receiver: string }
  | { kind: 'state' | 'config'; what: string; reason: string }
  /** A source that is no longer configured, or not at that address, with its alerts that were open. */
  | { kind: 'unwatched'; source: string; address?: string; alerts: readonly Alert[] }
  | { kind: 'digest'; dueAt: number; what: string; reason: string }
  | { kind: 'silence'; silence: Silence }
  | { kind: 'silence expired'; id: string }
  | { kind: 'tick' };

export type OwnStep = Stepped<OwnState>;

export function stepItself(state: OwnState, event: SelfEvent, context: StepContext): OwnStep {
  const { now } = context;
  const alerts = state.alerts.map((alert) => ({ ...alert, told: alert.told.map((told) => ({ ...told })) }));
  const drafts = draftsOf(alerts, event);
  const { transitions, counters } = identify({ name: ITSELF, baseUrl: '' }, state.counters, drafts, now);
  let { nextNumber } = context;
  const unwatched =
    event.kind === 'unwatched'
      ? event.alerts.map((alert) => ({
          ...alert,
          status: 'resolved' as const,
          resolvedAt: now,
          told: [...alert.told],
        }))
      : [];
  const entered = transitions.map((transition, index): Entered => {
    const left = unwatched[index];
    if (left !== undefined) return { transition, status: 'info', alert: left };
    if (transition.kind === 'receiver.failed') {
      const alert = opened(transition, nextNumber, now);
      nextNumber += 1;
      alerts.push(alert);
      return { transition, status: 'open', alert };
    }
    const alert = alerts.find((open) => open.status === 'open' && open.subjects.includes(transition.subject)) ?? null;
    if (transition.kind !== 'receiver.recovered' || alert === null) return { transition, status: 'info', alert: null };
    alert.status = 'resolved';
    alert.resolvedAt = now;
    return { transition, status: 'resolved', alert };
  });
  const silences = silencesAfter(state.silences, event, now);
  const digestedAt = event.kind === 'digest' ? event.dueAt : state.digestedAt;
  return conclude(
    state,
    {
      kept: { counters, silences, digestedAt },
      book: { alerts, nextNumber },
      entered,
      announced: entered,
      reminders: { alerts },
    },
    context,
  );
}

function draftsOf(alerts: readonly Alert[], event: SelfEvent): Draft[] {
  const isOpen = (subject: string): Alert | undefined =>
    alerts.find((alert) => alert.status === 'open' && alert.subjects.includes(subject));
  switch (event.kind) {
    case 'receiver failed': {
      const { receiver, since, reason } = event;
      const subject = `receiver/${receiver}`;
      if (isOpen(subject) !== undefined) return [];
      return [
        { subject, kind: 'receiver.failed', from: null, to: reason, details: { receiver, since: timestamp(since) } },
      ];
    }
    case 'receiver recovered': {
      const { receiver } = event;
      const subject = `receiver/${receiver}`;
      const failed = isOpen(subject);
      if (failed === undefined) return [];
      const details = { receiver, since: timestamp(failed.startedAt) };
      const failure = failed.lastChange?.transition;
      const from = failure?.kind === 'receiver.failed' ? failure.to : failed.title;
      return [{ subject, kind: 'receiver.recovered', from, to: null, details }];
    }
    case 'unwatched': {
      const { source, address } = event;
      const what = `${source} is no longer watched${address === undefined ? '' : ` at ${address}`}`;
      return event.alerts.map(({ number, title }) => ({
        subject: ITSELF,
        kind: 'linewatch.config',
        from: null,
        to: what,
        details: { reason: `#${number} ${title} ends with it; how it goes on is unknown.` },
      }));
    }
    case 'digest':
    case 'state':
    case 'config': {
      const kind = event.kind !== 'config' ? 'linewatch.state' : 'linewatch.config';
      return [{ subject: ITSELF, kind, from: null, to: event.what, details: { reason: event.reason } }];
    }
    default:
      return [];
  }
}

function opened(transition: Transition & { kind: 'receiver.failed' }, number: number, now: number): Alert {
  const { since } = transition.details;
  return {
    id: identity('alert', ITSELF, transition.id),
    number,
    source: ITSELF,
    severity: 'warning',
    title: plainTitle(transition),
    startedAt: since === null ? now : Date.parse(since),
    resolvedAt: null,
    cause: null,
    status: 'open',
    origin: 'source',
    notice: null,
    subjects: [transition.subject],
    openedAt: now,
    muted: false,
    awaitsSummary: false,
    told: [],
    lastChange: null,
  };
}

function silencesAfter(silences: Silence[], event: SelfEvent, now: number): Silence[] {
  switch (event.kind) {
    case 'silence':
      return [...silences.filter((silence) => now - endOf(silence) <= SILENCES_REMEMBERED_FOR_MS), event.silence];
    case 'silence expired':
      return silences.map((silence) =>
        silence.id === event.id && endOf(silence) > now ? { ...silence, expiredAt: now } : silence,
      );
    default:
      return silences;
  }
}
