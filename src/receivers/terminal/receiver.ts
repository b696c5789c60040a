/** Writes messages to a terminal, for the demo and for trying things out. */
import { formatHour } from '../../core/wording/time.ts';
import { toUnansweredOutcome } from '../outcome.ts';
import type { Receiver, ReceiverDeps } from '../receiver.ts';
import { renderGlance } from './glance.ts';
import type { TerminalStyle } from './render.ts';

export interface TerminalOptions {
  name: string;
  /** IANA time zone of the times shown. */
  timezone: string;
  /** Resolves when the text is written. */
  write: (text: string) => Promise<void> | void;
  /** Read for each message, because a window may be resized. */
  style: () => TerminalStyle;
}

/** Fails transiently if the terminal takes nothing within the timeout, for example because its output is stopped. */
export function createTerminalReceiver(
  { name, timezone, write, style }: TerminalOptions,
  { compose, clock, timeoutMs }: ReceiverDeps,
): Receiver {
  return {
    name,
    type: 'terminal',
    audience: 'people',
    batch: 1,
    proves: 'shown',
    async send(messages, signal) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        const time = formatHour(clock(), timezone, clock());
        for (const message of messages) {
          limited.throwIfAborted();
          await Promise.race([write(`${renderGlance(compose(message), time, style())}\n`), rejectOnAbort(limited)]);
        }
        return { kind: 'delivered', detail: 'written to the terminal' };
      } catch (error) {
        return toUnansweredOutcome('The terminal', error, signal);
      }
    },
  };
}

/** Rejects when the signal aborts: a terminal may be stopped by Ctrl-S. */
async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted')),
      { once: true },
    );
  });
}
