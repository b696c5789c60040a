/**
 * Selects the next sending to a receiver. Messages of one alert keep their order. Programs get batches. For people, a
 * backlog and collected messages are coalesced to the present state of each alert.
 */
import { hashIdentity } from '../transition/transition.ts';
import { isWorse, type Severity, pickWorse, findWorst } from '../transition/kind.ts';
import { withoutMuted, type IsMuted } from './muted.ts';
import { isSummary, type Message, type Sending, createSending, findTopic } from './message.ts';
import {
  foldMessages,
  toFoldId,
  foldWorst,
  isPassedInSilence,
  toSilenceId,
  summarizeAlerts,
  summarizeSilence,
} from './combined-alerts.ts';

/** A message to people that was sent and may have arrived. A retry must be identical. */
export interface Bundle {
  /** Id under which it was sent. */
  id: string;
  /** Ids of the messages that it coalesces; one if it is a single message. */
  of: string[];
  /** The one recipient who still needs it, if others have it already. */
  to?: string;
}

export interface QueueRules {
  audience: 'people' | 'programs';
  batch: number;
  /** Maximum number of alerts in one sending to programs. */
  alerts: number;
  now: number;
  bundles: readonly Bundle[];
  /** People get several alerts in one message if more than this many wait; default: never. */
  foldAbove?: number;
  /** Names of all sources, in the order of the configuration. */
  sources: readonly string[];
  /** A silence mutes the message now. */
  isHeld: IsMuted;
  /** The retry schedule allows its alert now. A message that is combined with another alert goes along with that. */
  isTurn(message: Message): boolean;
  /** The message could not be sent when it was due, so people get the present state of its alert. */
  isBacklog(message: Message): boolean;
  /** A silence that has ended muted the message. */
  wasHeld(message: Message): boolean;
}

/** A message due for less than this is assumed to be on its way; one that is enqueued meanwhile does not delay it. */
const ON_ITS_WAY_MS = 30_000;

/** A source with more waiting alerts than this goes after all other sources. */
const FLOOD = 20;

/** Next sending, oldest messages first; null if nothing may be sent now. */
export function selectNextSending(waiting: readonly Message[], rules: QueueRules): Sending | null {
  const { open, isMuted } = withoutMuted(waiting, rules.isHeld);
  if (rules.audience === 'programs') {
    const due = selectSendable(open, (message) => isDue(message, rules.now) && rules.isTurn(message));
    const messages = takeFirstAlerts(due, rules.alerts).slice(0, rules.batch);
    return messages.length === 0 ? null : createSending(messages, messages);
  }
  const pending = moveFloodsLast(open);
  const collecting = findCollecting(pending, rules.now, isMuted);
  const next = pending.findIndex(
    (message) => rules.isTurn(message) && isDue(message, rules.now) && !collecting.has(findTopic(message)),
  );
  if (next === -1) return null;
  // A summary that collects further sources is sent before later messages: "nothing open" must not follow an outage.
  const first = pending.slice(0, next).find((message) => isSummary(message) && rules.isTurn(message)) ?? pending[next];
  if (first === undefined) return null;
  const bundle = rules.bundles.find(({ of }) => of.includes(first.id));
  if (bundle !== undefined) {
    // The bundle may have arrived, so it is repeated unchanged, including what a silence mutes by now.
    const parts = bundle.of.flatMap((id) => waiting.find((message) => message.id === id) ?? []);
    // If a part was dropped meanwhile, the message gets another id.
    if (bundle.id === toSilenceId(bundle.of)) return summarizeAlerts(parts);
    if (bundle.id === toFoldId(bundle.of)) return foldMessages(parts);
    const own = parts.filter((part) => !isMergedInto(part, parts));
    return { ...bundleMessages(own), settles: parts.map(({ id }) => id) };
  }
  const { foldAbove = Infinity } = rules;
  const folding = foldAbove === Infinity ? [] : findFoldable(pending, rules, collecting);
  if (new Set(folding.map(findTopic)).size > foldAbove) return foldWorst(folding);
  // Held messages of the same alert come along, so that its order is kept.
  const together = isSummary(first)
    ? sortBySource(pending.filter(isSummary), rules.sources)
    : pending.filter((message) => message.alert.id === first.alert.id && !isSummary(message));
  if (isPassedInSilence(together, rules.wasHeld)) return summarizeSilence(pending, rules.wasHeld);
  const [oldest] = together;
  const waited =
    oldest !== undefined && (oldest.dueAt > oldest.promisedAt || oldest !== first || rules.wasHeld(oldest));
  // A message about an alert of several sources counts them all; separate messages would repeat the counts.
  const isShared = new Set(together.map(({ alert: { source } }) => source)).size > 1;
  const isBundled = rules.isBacklog(first) || waited || isSummary(first) || isShared;
  const sending = isBundled ? bundleMessages(together) : createSending([first], [first]);
  const merges = listMerges(pending, first.alert.id, rules.bundles);
  return { ...sending, settles: [...sending.settles, ...merges.map(({ id }) => id)] };
}

/** The losses of its alert are reported in the alert of another one of these messages. */
function isMergedInto({ into }: Message, messages: readonly Message[]): boolean {
  return into !== undefined && messages.some(({ alert }) => alert.id === into);
}

/** Waiting messages that say only that losses became part of this alert: its own message names their alerts. */
function listMerges(pending: readonly Message[], into: string, bundles: readonly Bundle[]): readonly Message[] {
  const merges = pending.filter((message) => message.into === into);
  if (merges.length === 0) return [];
  const begun = new Set(bundles.flatMap(({ of }) => of));
  const isAlone = ({ alert }: Message): boolean => pending.filter((other) => other.alert.id === alert.id).length === 1;
  return merges.filter((message) => !begun.has(message.id) && isAlone(message));
}

/** Waiting messages of all alerts with a due message, except bundles that may have arrived. */
function findFoldable(
  pending: readonly Message[],
  rules: QueueRules,
  collecting: ReadonlySet<string>,
): readonly Message[] {
  const begun = new Set(rules.bundles.flatMap(({ of }) => of));
  const left = new Set(pending.flatMap((message) => (begun.has(message.id) ? [findTopic(message)] : [])));
  const isOpen = (message: Message): boolean =>
    message.alert.number !== null &&
    !isSummary(message) &&
    !collecting.has(findTopic(message)) &&
    !left.has(findTopic(message));
  const due = new Set(
    pending.flatMap((message) =>
      isOpen(message) && isDue(message, rules.now) && rules.isTurn(message) ? [findTopic(message)] : [],
    ),
  );
  return pending.filter((message) => isOpen(message) && due.has(findTopic(message)));
}

/**
 * Topics that still collect messages. While an alert's first message waits for its time, later ones wait along, unless
 * they make the alert worse: an outage must not wait for the end of the quiet hours behind an earlier warning. A later
 * message of a thread that only collects others goes along with a due one, but not with one that was due before it was
 * enqueued.
 */
function findCollecting(
  pending: readonly Message[],
  now: number,
  isMuted: (message: Message) => boolean,
): ReadonlySet<string> {
  const waiting = new Map<string, Severity>();
  /** Enqueue time of the newest waiting message; Infinity if one of them opens the thread. */
  const newest = new Map<string, number>();
  for (const message of pending) {
    if (isDue(message, now)) continue;
    waiting.set(findTopic(message), pickWorse(waiting.get(findTopic(message)) ?? 'info', message.alert.severity));
    newest.set(
      findTopic(message),
      message.first ? Infinity : Math.max(newest.get(findTopic(message)) ?? 0, message.promisedAt),
    );
  }
  if (waiting.size === 0) return new Set();
  for (const message of pending) {
    const held = waiting.get(findTopic(message));
    const urgent = held !== undefined && isWorse(message.alert.severity, held);
    // Messages that were collecting when this one was enqueued have waited long enough.
    const isCompany = (newest.get(findTopic(message)) ?? Infinity) <= message.dueAt + ON_ITS_WAY_MS;
    const isRepeatedlyMissing = isDue(message, now) && !isMuted(message);
    if ((urgent || isCompany) && !isSummary(message) && isRepeatedlyMissing) waiting.delete(findTopic(message));
  }
  return new Set(waiting.keys());
}

/** Earliest time in the future at which a waiting message is due; null if there is none. */
export function findNextDue(pending: readonly Message[], now: number): number | null {
  let soonest: number | null = null;
  for (const message of pending) {
    if (!isDue(message, now) && (soonest === null || message.dueAt < soonest)) soonest = message.dueAt;
  }
  return soonest;
}

/** After a backward clock change, a message that was enqueued later than now is due at once. */
function isDue({ dueAt, promisedAt }: Message, now: number): boolean {
  return dueAt <= now || promisedAt > now;
}

/** Orders messages by the configuration's order of sources, because the order of responses is random. */
function sortBySource(messages: readonly Message[], sources: readonly string[]): Message[] {
  const places = new Map(sources.map((source, place) => [source, place]));
  const place = ({ alert }: Message): number => places.get(alert.source) ?? Infinity;
  return messages.toSorted((one, other) => (place(one) < place(other) ? -1 : Number(place(one) > place(other))));
}

/**
 * Moves messages of a source with very many waiting alerts to the end, so that it delays no other source. Order within
 * an alert is kept.
 */
function moveFloodsLast(pending: readonly Message[]): readonly Message[] {
  if (pending.length <= FLOOD) return pending;
  const sources = new Map<string, string>();
  for (const message of pending) {
    const about = findTopic(message);
    if (!sources.has(about)) sources.set(about, isSummary(message) ? '' : message.alert.source);
  }
  const counts = new Map<string, number>();
  for (const source of sources.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
  const isOfAFlood = (message: Message): boolean => (counts.get(sources.get(findTopic(message)) ?? '') ?? 0) > FLOOD;
  const calm = pending.filter((message) => !isOfAFlood(message));
  return calm.length === 0 ? pending : [...calm, ...pending.filter(isOfAFlood)];
}

function selectSendable(pending: readonly Message[], maySend: (message: Message) => boolean): Message[] {
  const blocked = new Set<string>();
  return pending.filter((message) => {
    if (!maySend(message)) blocked.add(message.alert.id);
    return !blocked.has(message.alert.id);
  });
}

/** Cuts before the first message of one more alert, so that nothing overtakes it. */
function takeFirstAlerts(messages: readonly Message[], most: number): readonly Message[] {
  if (most === Infinity) return messages;
  const alerts = new Set<string>();
  const end = messages.findIndex(({ alert }) => alerts.add(alert.id).size > most);
  return end === -1 ? messages : messages.slice(0, end);
}

function bundleMessages(messages: readonly Message[]): Sending {
  const [first] = messages;
  const last = messages.at(-1);
  if (first === undefined || last === undefined || messages.length === 1) {
    return createSending(messages, messages);
  }
  const isOfSeveral = isSummary(first);
  const alerts = messages.map(({ alert }) => alert);
  // Reminders of one alert repeat the same change.
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
  return createSending([message], messages);
}

/** Bundle to save before a sending to people goes out. */
export function createBundle(sending: Sending): Bundle | null {
  const [message] = sending.messages;
  return message === undefined ? null : { id: message.id, of: sending.settles };
}
