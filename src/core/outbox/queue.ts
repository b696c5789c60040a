/**
 * What a receiver is sent next. Messages of one alert keep their order; programs get batches; for people a
 * backlog, and what waited for company, is coalesced to the latest state of each alert.
 */
import { hashIdentity } from '../transition/transition.ts';
import { isWorse, type Severity, pickWorse, findWorst } from '../transition/kind.ts';
import { withoutMuted, type IsMuted } from './muted.ts';
import { isSummary, type Message, type Sending, sendingOf, topic } from './message.ts';
import {
  foldMessages,
  toFoldId,
  foldWorst,
  passedInSilence,
  silenceId,
  summaryOf,
  summaryOfSilence,
} from './combined-alerts.ts';

/** A message to people that was sent and may have arrived: sent again, it must be the same. */
export interface Bundle {
  /** The id it was sent under. */
  id: string;
  /** The ids of the promises it is made of: one, or more that were coalesced. */
  of: string[];
  /** The one recipient it is for, where others have its promises already. */
  to?: string;
}

export interface QueueRules {
  audience: 'people' | 'programs';
  batch: number;
  /** The most alerts in one sending to programs. */
  alerts: number;
  now: number;
  bundles: readonly Bundle[];
  /** People get several alerts in one message where more than so many wait; default: never. */
  foldAbove?: number;
  /** Every source there is, as they are configured. */
  sources: readonly string[];
  /** Muted for now by a silence. */
  isHeld: IsMuted;
  /** Its alert may be tried now; what is told together with another alert comes along with that. */
  isTurn(message: Message): boolean;
  /** Could not go out when it was due: people get its alert's latest state. */
  isBacklog(message: Message): boolean;
  /** Was muted by a silence that has ended. */
  wasHeld(message: Message): boolean;
}

/**
 * A message that has been due for less than this counts as on its way: one that comes meanwhile and waits for company
 * does not hold it up.
 */
const ON_ITS_WAY_MS = 30_000;

/** A source of which more alerts wait has said so much at once that nobody else waits behind it. */
const FLOOD = 20;

/** What is pending, oldest first, as one sending; null when nothing may go out now. */
export function nextSending(waiting: readonly Message[], rules: QueueRules): Sending | null {
  const { open, isMuted } = withoutMuted(waiting, rules.isHeld);
  if (rules.audience === 'programs') {
    const due = inOrderOfAlerts(open, (message) => isDue(message, rules.now) && rules.isTurn(message));
    const messages = ofFirstAlerts(due, rules.alerts).slice(0, rules.batch);
    return messages.length === 0 ? null : sendingOf(messages, messages);
  }
  const pending = floodsLast(open);
  const collecting = waitingForCompany(pending, rules.now, isMuted);
  const next = pending.findIndex(
    (message) => rules.isTurn(message) && isDue(message, rules.now) && !collecting.has(topic(message)),
  );
  if (next === -1) return null;
  // A summary that waits for company goes before what came after it: "nothing open" must not follow an outage.
  const first = pending.slice(0, next).find((message) => isSummary(message) && rules.isTurn(message)) ?? pending[next];
  if (first === undefined) return null;
  const bundle = rules.bundles.find(({ of }) => of.includes(first.id));
  if (bundle !== undefined) {
    // It may have arrived as it was: what a silence mutes of it by now goes again with the rest.
    const parts = bundle.of.flatMap((id) => waiting.find((message) => message.id === id) ?? []);
    // A part that was dropped meanwhile makes it another message, with an id of its own.
    if (bundle.id === silenceId(bundle.of)) return summaryOf(parts);
    if (bundle.id === toFoldId(bundle.of)) return foldMessages(parts);
    return bundled(parts);
  }
  const { foldAbove = Infinity } = rules;
  const folding = foldAbove === Infinity ? [] : findFoldable(pending, rules, collecting);
  if (new Set(folding.map(topic)).size > foldAbove) return foldWorst(folding);
  // What was held back earlier comes along: within an alert nothing overtakes.
  const together = isSummary(first)
    ? inOrderOfSources(pending.filter(isSummary), rules.sources)
    : pending.filter((message) => message.alert.id === first.alert.id && !isSummary(message));
  if (passedInSilence(together, rules.wasHeld)) return summaryOfSilence(pending, rules.wasHeld);
  const [oldest] = together;
  const waited =
    oldest !== undefined && (oldest.dueAt > oldest.promisedAt || oldest !== first || rules.wasHeld(oldest));
  // What is said of an alert of several sources counts them all: what waits would say it again.
  const isShared = new Set(together.map(({ alert: { source } }) => source)).size > 1;
  if (rules.isBacklog(first) || waited || isSummary(first) || isShared) return bundled(together);
  return sendingOf([first], [first]);
}

/** All that waits of alerts of which something is due, but for what may have arrived already. */
function findFoldable(
  pending: readonly Message[],
  rules: QueueRules,
  collecting: ReadonlySet<string>,
): readonly Message[] {
  const begun = new Set(rules.bundles.flatMap(({ of }) => of));
  const left = new Set(pending.flatMap((message) => (begun.has(message.id) ? [topic(message)] : [])));
  const isOpen = (message: Message): boolean =>
    message.alert.number !== null &&
    !isSummary(message) &&
    !collecting.has(topic(message)) &&
    !left.has(topic(message));
  const due = new Set(
    pending.flatMap((message) =>
      isOpen(message) && isDue(message, rules.now) && rules.isTurn(message) ? [topic(message)] : [],
    ),
  );
  return pending.filter((message) => isOpen(message) && due.has(topic(message)));
}

/**
 * While an alert's first message waits for its time, what joins it waits along: but not what makes the alert
 * worse, or an outage would wait for the end of the quiet hours behind the warning that went before it. What
 * comes later in a thread and merely waits for company takes it from whatever is due, but not from what was due
 * before it came.
 */
function waitingForCompany(
  pending: readonly Message[],
  now: number,
  isMuted: (message: Message) => boolean,
): ReadonlySet<string> {
  const waiting = new Map<string, Severity>();
  /** When the newest of those that wait was promised; never, where one of them opens the conversation. */
  const newest = new Map<string, number>();
  for (const message of pending) {
    if (isDue(message, now)) continue;
    waiting.set(topic(message), pickWorse(waiting.get(topic(message)) ?? 'info', message.alert.severity));
    newest.set(
      topic(message),
      message.first ? Infinity : Math.max(newest.get(topic(message)) ?? 0, message.promisedAt),
    );
  }
  if (waiting.size === 0) return new Set();
  for (const message of pending) {
    const held = waiting.get(topic(message));
    const urgent = held !== undefined && isWorse(message.alert.severity, held);
    // What was still waiting when they came has waited long enough now.
    const isCompany = (newest.get(topic(message)) ?? Infinity) <= message.dueAt + ON_ITS_WAY_MS;
    const isGoing = isDue(message, now) && !isMuted(message);
    if ((urgent || isCompany) && !isSummary(message) && isGoing) waiting.delete(topic(message));
  }
  return new Set(waiting.keys());
}

/** The next time something may go out that is not due yet; null when nothing waits for its time. */
export function nextDue(pending: readonly Message[], now: number): number | null {
  let soonest: number | null = null;
  for (const message of pending) {
    if (!isDue(message, now) && (soonest === null || message.dueAt < soonest)) soonest = message.dueAt;
  }
  return soonest;
}

/** A clock that was put back must not make a message wait for the hours it lost: one promised later than now is due. */
function isDue({ dueAt, promisedAt }: Message, now: number): boolean {
  return dueAt <= now || promisedAt > now;
}

/** As they are configured: which of them answered first is chance. */
function inOrderOfSources(messages: readonly Message[], sources: readonly string[]): Message[] {
  const places = new Map(sources.map((source, place) => [source, place]));
  const place = ({ alert }: Message): number => places.get(alert.source) ?? Infinity;
  return messages.toSorted((one, other) => (place(one) < place(other) ? -1 : Number(place(one) > place(other))));
}

/** No source holds up what another says to people: what comes from a flood goes last. Within an alert nothing overtakes. */
function floodsLast(pending: readonly Message[]): readonly Message[] {
  if (pending.length <= FLOOD) return pending;
  const sources = new Map<string, string>();
  for (const message of pending) {
    const about = topic(message);
    if (!sources.has(about)) sources.set(about, isSummary(message) ? '' : message.alert.source);
  }
  const counts = new Map<string, number>();
  for (const source of sources.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
  const isOfAFlood = (message: Message): boolean => (counts.get(sources.get(topic(message)) ?? '') ?? 0) > FLOOD;
  const calm = pending.filter((message) => !isOfAFlood(message));
  return calm.length === 0 ? pending : [...calm, ...pending.filter(isOfAFlood)];
}

function inOrderOfAlerts(pending: readonly Message[], maySend: (message: Message) => boolean): Message[] {
  const blocked = new Set<string>();
  return pending.filter((message) => {
    if (!maySend(message)) blocked.add(message.alert.id);
    return !blocked.has(message.alert.id);
  });
}

/** Until one more alert begins: nothing of the first alerts overtakes it. */
function ofFirstAlerts(messages: readonly Message[], most: number): readonly Message[] {
  if (most === Infinity) return messages;
  const alerts = new Set<string>();
  const end = messages.findIndex(({ alert }) => alerts.add(alert.id).size > most);
  return end === -1 ? messages : messages.slice(0, end);
}

function bundled(messages: readonly Message[]): Sending {
  const [first] = messages;
  const last = messages.at(-1);
  if (first === undefined || last === undefined || messages.length === 1) {
    return sendingOf(messages, messages);
  }
  const isOfSeveral = isSummary(first);
  const alerts = messages.map(({ alert }) => alert);
  // Reminders of one alert repeat the same.
  const changes = messages.filter(({ reminder }) => reminder === 0).flatMap((message) => message.changes);
  const message: Message = {
    ...last,
    alert: isOfSeveral ? { ...last.alert, severity: findWorst(alerts) } : last.alert,
    id: hashIdentity(
      'bundle',
      messages.map(({ id }) => id),
    ),
    changes: changes.length > 0 ? changes : last.changes,
    reminder: changes.length > 0 ? 0 : last.reminder,
    promisedAt: first.promisedAt,
    dueAt: first.dueAt,
    first: messages.some((one) => one.first),
    replaces: isOfSeveral ? 0 : messages.length - 1,
    unsaved: messages.some((one) => one.unsaved),
  };
  return sendingOf([message], messages);
}

/** What must be remembered of a sending to people before it goes out. */
export function bundleOf(sending: Sending): Bundle | null {
  const [message] = sending.messages;
  return message === undefined ? null : { id: message.id, of: sending.settles };
}
