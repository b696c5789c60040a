/**
 * Waiting messages as the deliveries see them: those of all sources for all receivers, the first summaries that wait
 * for other sources, and the messages muted by current silences.
 */
import { isNews } from '../../core/correlation/notify-decision.ts';
import { collectFacts, collectHits } from '../../core/alert/matchers.ts';
import {
  endOf,
  isActive,
  computeMutedTime,
  listPartialSilences,
  type Silence,
  findSilence,
} from '../../core/alert/silence.ts';
import { type Entry, isSummary, type Message, listMessages, SUMMARY_WAITS_MS } from '../../core/outbox/message.ts';
import { append } from '../../core/transition/collections.ts';
import type { Clock } from '../common/clock.ts';

/** A summary with problems waits no longer than this: people must learn of an outage within 4 s of the poll that sees it. */
const TROUBLE_WAITS_MS = 2_000;

export type PendingMessages = ReturnType<typeof createPending>;

interface PendingOutbox {
  entries: ReadonlySet<Entry>;
  /** Ids in the last outbox on disk: their settlement must be stored until it is rewritten. */
  durable: ReadonlySet<string>;
  visible: ReadonlySet<string>;
  unsaved: ReadonlySet<Entry>;
  /** Its messages in order; made on first use. */
  messages: readonly TimedMessage[] | null;
}

interface TimedMessage {
  /** Position among those of other sources. */
  at: number;
  message: Message;
}

/** Lists over all sources. Each is made on first use after a change, as 1,000 sources read them at every sweep. */
interface Gathered {
  lists?: ReadonlyMap<string, readonly Message[]>;
  entries?: readonly Entry[];
  ids?: ReadonlySet<string>;
}

/**
 * `dueAt` computes when a message may be sent by the current route. It is called once for each message, as neither
 * changes. `measureApart`: the present lead of the wall clock over the other.
 */
export function createPending(
  dueAt: (message: Message) => number = (message) => message.dueAt,
  measureApart?: () => number,
) {
  const dated = new WeakMap<Message, Message>();
  const held = new Map<string, PendingOutbox>();
  let together: Gathered = {};
  let added: Entry[] = [];

  function onTime(promised: Message): Message {
    const known = dated.get(promised);
    if (known !== undefined) return known;
    const at = dueAt(promised);
    const message = {
      ...promised,
      dueAt: at,
      ...(at > promised.dueAt && { quiet: true }),
      ...(measureApart !== undefined && { apartMs: measureApart() }),
    };
    dated.set(promised, message);
    return message;
  }

  function listTimed({ entries, unsaved }: PendingOutbox): TimedMessage[] {
    // Messages of one source keep their order even after a backward clock change.
    let latest = -Infinity;
    return [...entries].flatMap((entry) => {
      latest = Math.max(latest, entry.promisedAt);
      const at = latest;
      return listMessages(entry).map((promised) => {
        const message = onTime(promised);
        return { at, message: unsaved.has(entry) ? { ...message, unsaved: true } : message };
      });
    });
  }

  /** By receiver, oldest first. */
  function sorted(): Map<string, Message[]> {
    const all = [...held.values()].flatMap((one) => (one.messages ??= listTimed(one)));
    all.sort((a, b) => a.at - b.at);
    return Map.groupBy(
      all.map(({ message }) => message),
      ({ receiver }) => receiver,
    );
  }

  return {
    /** Messages in this state of a source that its previous state did not have. */
    added(source: string, { outbox }: { outbox: readonly Entry[] }) {
      const before = held.get(source)?.visible;
      return outbox.flatMap((entry) =>
        listMessages(entry).flatMap((message) => (before?.has(message.id) === true ? [] : [onTime(message)])),
      );
    },
    /** Sets the outbox of a source after a step; `saved` is false if the disk refused it. */
    replace(source: string, state: { outbox: readonly Entry[] }, saved: boolean): void {
      const before = held.get(source);
      if (before === undefined ? state.outbox.length === 0 : saved && isSaved(before, state.outbox)) return;
      const visible = new Set(state.outbox.flatMap((entry) => listMessages(entry).map(({ id }) => id)));
      const fresh = state.outbox.filter((entry) => before?.entries.has(entry) !== true);
      const unsaved = saved ? [] : [...fresh, ...state.outbox.filter((entry) => before?.unsaved.has(entry) === true)];
      together = {};
      append(added, fresh);
      if (saved && state.outbox.length === 0) return void held.delete(source);
      held.set(source, {
        entries: new Set(state.outbox),
        durable: saved ? visible : (before?.durable ?? new Set()),
        visible,
        unsaved: new Set(unsaved),
        messages: null,
      });
    },
    /** Oldest first; the same list while nothing has changed. */
    to: (receiver: string) => (together.lists ??= sorted()).get(receiver) ?? NOTHING,
    /** Entries of all outboxes; the same list while nothing has changed. */
    entries: () => (together.entries ??= [...held.values()].flatMap(({ entries }) => [...entries])),
    /** Entries added to any outbox since the last call. */
    takeAdded(): readonly Entry[] {
      const taken = added;
      added = [];
      return taken;
    },
    /** Names of all receivers with a message. */
    receivers: () => [...(together.lists ??= sorted()).keys()],
    /** True while an outbox contains the message, on disk or, if the disk refuses, in memory. */
    holds(id: string) {
      together.ids ??= new Set([...held.values()].flatMap(({ durable, visible }) => [...durable, ...visible]));
      return together.ids.has(id);
    },
  };
}

const NOTHING: readonly Message[] = [];

/** The outbox is on disk as it is now: the step changed something else. */
function isSaved({ entries, durable, visible, unsaved }: PendingOutbox, outbox: readonly Entry[]): boolean {
  const isSame = outbox.length === entries.size && outbox.every((entry) => entries.has(entry));
  return isSame && durable === visible && unsaved.size === 0;
}

/**
 * Sources that start together share one summary for people, sent when each has been read once. A slow source, or one
 * whose response never ends, delays the others' summaries for a short time only.
 */
export type SharedStart = ReturnType<typeof createSharedStart>;

/** `sources`: names of all sources that start together; without any, nothing waits. */
export function createSharedStart(
  sources: readonly { readonly name: string }[],
  { clock, wake }: { clock: Clock; wake(): void },
) {
  const starting = new Set(sources.map(({ name }) => name));
  const complete = new AbortController();
  /** The summaries that wait now. */
  let waiting: 'all' | 'calm' | 'none' = sources.length === 0 ? 'none' : 'all';

  function release(next: typeof waiting): void {
    waiting = next;
    wake();
  }

  return {
    /** A source has been read once, or reading it failed. */
    ended(source: string) {
      if (!starting.delete(source) || starting.size > 0) return;
      release('none');
      complete.abort();
    },
    /** Messages for people that may be sent: all but summaries that wait for other sources. */
    tellable(pending: readonly Message[]) {
      if (waiting === 'none') return pending;
      // "Nothing is open" must not be sent after the outage that came after it.
      const spokenOf = new Set(pending.flatMap((message) => (isSummary(message) ? [] : [message.alert.source])));
      return pending.filter(
        (message) =>
          !isSummary(message) ||
          (waiting === 'calm' && message.alert.severity !== 'info') ||
          spokenOf.has(message.alert.source),
      );
    },
    /** Calls `wake` whenever waiting messages may be sent; resolves when none wait, or at the stop. */
    async run(stop: AbortSignal) {
      const over = AbortSignal.any([stop, complete.signal]);
      await clock.sleep(TROUBLE_WAITS_MS, over);
      if (!over.aborted) release('calm');
      await clock.sleep(SUMMARY_WAITS_MS - TROUBLE_WAITS_MS, over);
      if (!over.aborted) release('none');
    },
  };
}

type Labels = Readonly<Record<string, string>>;

export type Muting = ReturnType<typeof createMuting>;

/** Times are epoch milliseconds. `silences` is called for each message. */
export function createMuting(
  /** By the name of its source. */
  labels: ReadonlyMap<string, Labels>,
  silences: () => readonly Silence[],
) {
  function ask<T>(
    { alert, changes }: Message,
    question: (silences: readonly Silence[], known: ReturnType<typeof collectFacts>) => T,
    otherwise: T,
  ): T {
    const all = silences();
    return all.length === 0 ? otherwise : question(all, collectFacts(alert, changes, labels.get(alert.source) ?? {}));
  }

  /** Matches the alert's current state, and each of its changes separately: a muted one does not hide another. */
  function isMuted({ alert, changes }: Message, latest: Message, at: number): boolean {
    const now = { ...alert, severity: latest.alert.severity };
    const hits = collectHits(latest.alert, latest.changes);
    const news = changes.filter(({ transition, status }) => isNews(transition.kind, status));
    return (news.length === 0 ? changes : news).every(
      (change) =>
        findSilence(silences(), collectFacts(now, [change], labels.get(alert.source) ?? {}, hits), at) !== null,
    );
  }

  return {
    /** True if a silence muted the message at that time; `latest` is the last message of its alert. */
    isSilenced: (message: Message, at: number, latest: () => Message = () => message): boolean =>
      silences().some((silence) => isActive(silence, at)) && isMuted(message, latest(), at),
    /** Milliseconds for which silences have muted the message since it was due. */
    heldMs: (message: Message, now: number): number =>
      ask(message, (all, known) => computeMutedTime(all, known, message.dueAt, now), 0),
    /** Silences for a part of an alert that is sent because it affects more. */
    parts: (message: Message, at: number): NonNullable<Message['silenced']> =>
      ask(message, (all, known) => listPartialSilences(all, known, at), []).map((silence) => ({
        matchers: silence.matchers,
        until: endOf(silence),
      })),
    /** Values that matchers of a silence can refer to. */
    matchable: { sources: [...labels.keys()], labels: [...labels.values()].flatMap((each) => Object.keys(each)) },
  };
}
