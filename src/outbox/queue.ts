/**
 * What a receiver is sent next. Messages of one alert keep their order; programs get batches; for people a
 * backlog is coalesced to the latest state of each alert, and says what it stands for.
 */
import { identity } from '../transition/identity.ts';
import type { Message } from './message.ts';

/** One sending and the messages it settles. */
export interface Sending {
  messages: Message[];
  settles: string[];
}

/** A coalesced message that was sent before and may be in flight: sent again, it must be the same. */
export interface Bundle {
  id: string;
  of: string[];
}

export interface QueueRules {
  audience: 'people' | 'programs';
  batch: number;
  /** True once the receiver has failed, until its backlog is gone. */
  backlog: boolean;
  bundles: readonly Bundle[];
}

export function nextSending(pending: readonly Message[], rules: QueueRules): Sending | null {
  const [first] = pending;
  if (first === undefined) return null;
  if (rules.audience === 'programs') {
    const messages = pending.slice(0, rules.batch);
    return { messages, settles: messages.map(({ id }) => id) };
  }
  const bundle = rules.bundles.find(({ of }) => of.includes(first.id));
  if (bundle !== undefined) return bundled(pending.filter(({ id }) => bundle.of.includes(id)));
  const together = pending.filter((message) => topic(message) === topic(first));
  return rules.backlog || isSummary(first) ? bundled(together) : { messages: [first], settles: [first.id] };
}

/** Sources that start together share one summary. */
function isSummary(message: Message): boolean {
  return message.changes.every(({ transition }) => transition.kind === 'source.baseline');
}

function topic(message: Message): string {
  return isSummary(message) ? 'summary' : message.alert.id;
}

function bundled(messages: readonly Message[]): Sending {
  const [first] = messages;
  const last = messages.at(-1);
  if (first === undefined || last === undefined || messages.length === 1) {
    return { messages: [...messages], settles: messages.map(({ id }) => id) };
  }
  const changes = messages.filter((message) => message.reminder === 0).flatMap((message) => message.changes);
  const message: Message = {
    ...last,
    id: identity('bundle', messages.map(({ id }) => id)),
    changes: changes.length > 0 ? changes : last.changes,
    reminder: changes.length > 0 ? 0 : last.reminder,
    promisedAt: first.promisedAt,
    first: messages.some((one) => one.first),
    replaces: isSummary(first) ? 0 : messages.length - 1,
    unsaved: messages.some((one) => one.unsaved),
  };
  return { messages: [message], settles: messages.map(({ id }) => id) };
}

/** The bundles that must be remembered before this sending goes out. */
export function bundleOf(sending: Sending): Bundle | null {
  const [message] = sending.messages;
  if (message === undefined || sending.settles.length < 2 || sending.messages.length > 1) return null;
  return { id: message.id, of: sending.settles };
}
