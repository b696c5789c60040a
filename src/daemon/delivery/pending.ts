/**
 * What waits to be told, as far as the deliveries may see it: what all sources have promised to all receivers, which
 * first summaries still wait for the other sources, and what the silences of now hold back.
 */
import type { Matchable } from '../../config/matcher-mistakes.ts';
import { isNews } from '../../core/alert/decision.ts';
import { facts, hitsOf } from '../../core/alert/matchers.ts';
import { endOf, isActive, mutedFor, partlySilencedBy, type Silence, silencedBy } from '../../core/alert/silence.ts';
import { type Entry, isSummary, type Message, messagesOf } from '../../core/outbox/message.ts';
import type { Clock } from '../common/clock.ts';

/** What tells of trouble waits no longer: people hear of an outage within 4 s of the poll that sees it. */
const TROUBLE_WAITS_MS = 2_000;
/** What tells of none: a page of 1,000 components, the largest known, is read in 10 s. */
const CALM_WAITS_MS = 30_000;

export interface PendingMessages {
  /** What a source promises in this state beyond what it has promised before. */
  added(source: string, state: { outbox: readonly Entry[] }): Message[];
  /** The outbox of a source after a step; `saved` is false when the disk refused it. */
  replace(source: string, state: { outbox: readonly Entry[] }, saved: boolean): void;
  /** Oldest first; the same list as long as nothing has changed. */
  to(receiver: string): readonly Message[];
  /** Every entry of every outbox; the same list as long as nothing has changed. */
  entries(): readonly Entry[];
  /** Everybody something is promised to. */
  receivers(): string[];
  /** True while the outbox on disk, or in memory for want of a disk, holds the message. */
  holds(message: string): boolean;
}

interface Held {
  entries: ReadonlySet<Entry>;
  /** Ids in the last outbox that reached the disk: their settlement must be remembered until it is rewritten. */
  durable: ReadonlySet<string>;
  visible: ReadonlySet<string>;
  unsaved: ReadonlySet<Entry>;
  /** Its messages in their order; made when first asked for. */
  told: readonly ToldAt[] | null;
}

interface ToldAt {
  /** Where it stands among those of other sources. */
  at: number;
  message: Message;
}

/** Of all sources together; each is made when first asked for after a change, for 1,000 of them are asked at every sweep. */
interface Gathered {
  lists?: ReadonlyMap<string, readonly Message[]>;
  entries?: readonly Entry[];
  ids?: ReadonlySet<string>;
}

/** `dueAt` says when a message may go out by today's route: asked once a message, as neither of them changes. */
export function createPending(dueAt: (message: Message) => number = (message) => message.dueAt): PendingMessages {
  const dated = new WeakMap<Message, Message>();
  const held = new Map<string, Held>();
  let together: Gathered = {};

  function onTime(promised: Message): Message {
    const known = dated.get(promised);
    if (known !== undefined) return known;
    const at = dueAt(promised);
    const message = { ...promised, dueAt: at, ...(at > promised.dueAt && { quiet: true }) };
    dated.set(promised, message);
    return message;
  }

  function toldBy({ entries, unsaved }: Held): ToldAt[] {
    // A source's own promises keep their order even where the wall clock was put back between two of them.
    let latest = -Infinity;
    return [...entries].flatMap((entry) => {
      latest = Math.max(latest, entry.promisedAt);
      const at = latest;
      return messagesOf(entry).map((promised) => {
        const message = onTime(promised);
        return { at, message: unsaved.has(entry) ? { ...message, unsaved: true } : message };
      });
    });
  }

  /** By receiver, oldest first. */
  function sorted(): Map<string, Message[]> {
    const all = [...held.values()].flatMap((one) => (one.told ??= toldBy(one)));
    all.sort((a, b) => a.at - b.at);
    return Map.groupBy(
      all.map(({ message }) => message),
      ({ receiver }) => receiver,
    );
  }

  return {
    added(source, { outbox }) {
      const before = held.get(source)?.visible;
      return outbox.flatMap((entry) =>
        messagesOf(entry).flatMap((message) => (before?.has(message.id) === true ? [] : [onTime(message)])),
      );
    },
    replace(source, state, saved) {
      const before = held.get(source);
      if (before === undefined && state.outbox.length === 0) return;
      const visible = new Set(state.outbox.flatMap((entry) => messagesOf(entry).map(({ id }) => id)));
      const unsaved = saved
        ? []
        : state.outbox.filter((entry) => before?.entries.has(entry) !== true || before.unsaved.has(entry));
      together = {};
      if (saved && state.outbox.length === 0) return void held.delete(source);
      held.set(source, {
        entries: new Set(state.outbox),
        durable: saved ? visible : (before?.durable ?? new Set()),
        visible,
        unsaved: new Set(unsaved),
        told: null,
      });
    },
    to: (receiver) => (together.lists ??= sorted()).get(receiver) ?? NOTHING,
    entries: () => (together.entries ??= [...held.values()].flatMap(({ entries }) => [...entries])),
    receivers: () => [...(together.lists ??= sorted()).keys()],
    holds(id) {
      together.ids ??= new Set([...held.values()].flatMap(({ durable, visible }) => [...durable, ...visible]));
      return together.ids.has(id);
    },
  };
}

const NOTHING: readonly Message[] = [];

/**
 * Sources that start together share one summary for people: it waits until each of them has been read once. A source
 * that is slow, or that sends without end, holds the others' summaries up for a short while only.
 */
export interface SharedStart {
  /** A source has been read once, or could not be. */
  ended(source: string): void;
  /** What may be told of what is pending for people: all but the summaries that still wait for others. */
  tellable(pending: readonly Message[]): readonly Message[];
  /** Calls `wake` whenever what waited may go; resolves when nothing waits any longer, or at the stop. */
  run(stop: AbortSignal): Promise<void>;
}

/** `sources`: the names of all that start together. Nothing waits where there are none. */
export function createSharedStart(
  sources: readonly string[],
  { clock, wake }: { clock: Clock; wake(): void },
): SharedStart {
  const starting = new Set(sources);
  const complete = new AbortController();
  /** The summaries that wait at present. */
  let waiting: 'all' | 'calm' | 'none' = sources.length === 0 ? 'none' : 'all';

  function release(next: typeof waiting): void {
    waiting = next;
    wake();
  }

  return {
    ended(source) {
      if (!starting.delete(source) || starting.size > 0) return;
      release('none');
      complete.abort();
    },
    tellable(pending) {
      if (waiting === 'none') return pending;
      // "Nothing is open" must not follow the outage that came after it.
      const spokenOf = new Set(pending.flatMap((message) => (isSummary(message) ? [] : [message.alert.source])));
      return pending.filter(
        (message) =>
          !isSummary(message) ||
          (waiting === 'calm' && message.alert.severity !== 'info') ||
          spokenOf.has(message.alert.source),
      );
    },
    async run(stop) {
      const over = AbortSignal.any([stop, complete.signal]);
      await clock.sleep(TROUBLE_WAITS_MS, over);
      if (!over.aborted) release('calm');
      await clock.sleep(CALM_WAITS_MS - TROUBLE_WAITS_MS, over);
      if (!over.aborted) release('none');
    },
  };
}

type Labels = Readonly<Record<string, string>>;

export interface Muting {
  /** Whether a silence muted the message at that time; `latest` is what was promised last of its alert. */
  isSilenced(message: Message, at: number, latest?: () => Message): boolean;
  /** For how long silences have muted the message since it was due, in milliseconds. */
  heldMs(message: Message, now: number): number;
  /** The silences for a part of it, which goes out since it hits more. */
  parts(message: Message, at: number): NonNullable<Message['silenced']>;
  /** What a silence can ask about. */
  readonly matchable: Matchable;
}

/** Times are epoch milliseconds. `silences` is asked anew for each message. */
export function createMuting(
  /** By the name of its source. */
  labels: ReadonlyMap<string, Labels>,
  silences: () => readonly Silence[],
): Muting {
  function ask<T>(
    { alert, changes }: Message,
    question: (silences: readonly Silence[], known: ReturnType<typeof facts>) => T,
    otherwise: T,
  ): T {
    const all = silences();
    return all.length === 0 ? otherwise : question(all, facts(alert, changes, labels.get(alert.source) ?? {}));
  }

  /** Its alert is judged as it stands now, and each of its changes for itself: one that is muted does not hide another. */
  function isMuted({ alert, changes }: Message, latest: Message, at: number): boolean {
    const now = { ...alert, severity: latest.alert.severity };
    const hits = hitsOf(latest.alert, latest.changes);
    const news = changes.filter(({ transition, status }) => isNews(transition.kind, status));
    return (news.length === 0 ? changes : news).every(
      (change) => silencedBy(silences(), facts(now, [change], labels.get(alert.source) ?? {}, hits), at) !== null,
    );
  }

  return {
    isSilenced: (message, at, latest = () => message) =>
      silences().some((silence) => isActive(silence, at)) && isMuted(message, latest(), at),
    heldMs: (message, now) => ask(message, (all, known) => mutedFor(all, known, message.dueAt, now), 0),
    parts: (message, at) =>
      ask(message, (all, known) => partlySilencedBy(all, known, at), []).map((silence) => ({
        matchers: silence.matchers,
        until: endOf(silence),
      })),
    matchable: { sources: [...labels.keys()], labels: [...labels.values()].flatMap((each) => Object.keys(each)) },
  };
}
