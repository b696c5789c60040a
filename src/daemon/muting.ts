/** What the silences of now mean for messages that wait. */
import { facts } from '../core/alert/facts.ts';
import { endOf, partlySilencedBy, silencedBy, type Silence } from '../core/alert/silence.ts';
import type { Matchable } from '../config/matchers.ts';
import type { Message } from '../core/outbox/message.ts';

type Labels = Readonly<Record<string, string>>;

export interface Muting {
  /** Whether a silence muted the message at that time. */
  isSilenced(message: Message, at: number): boolean;
  /** The silences for a part of it, which goes out since it hits more. */
  parts(message: Message, at: number): NonNullable<Message['silenced']>;
  /** What a silence can ask about. */
  readonly matchable: Matchable;
}

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

  return {
    isSilenced: (message, at) => ask(message, (all, known) => silencedBy(all, known, at) !== null, false),
    parts: (message, at) =>
      ask(message, (all, known) => partlySilencedBy(all, known, at), []).map((silence) => ({
        matchers: silence.matchers,
        until: endOf(silence),
      })),
    matchable: { sources: [...labels.keys()], labels: [...labels.values()].flatMap((each) => Object.keys(each)) },
  };
}
