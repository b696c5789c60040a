/** Writes messages to a terminal, for the demonstration and for trying things out. */
import { hourWhen } from '../../core/wording/time.ts';
import { unanswered } from '../outcome.ts';
import type { Receiver, ReceiverDeps } from '../receiver.ts';
import { renderGlance } from './glance.ts';
import type { TerminalStyle } from './render.ts';

export interface TerminalOptions {
  name: string;
  /** IANA name: of the times that are shown. */
  timezone: string;
  /** Resolves when the text is written. */
  write: (text: string) => Promise<void> | void;
  /** Asked anew for each message, since a window may be resized. */
  style: () => TerminalStyle;
}

/** A terminal that takes nothing within the time limit, as one that was stopped, has failed for now. */
export function terminalReceiver(
  { name, timezone, write, style }: TerminalOptions,
  { brief, clock, timeoutMs }: ReceiverDeps,
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
        const time = hourWhen(clock(), timezone, clock());
        for (const message of messages) {
          limited.throwIfAborted();
          await Promise.race([write(`${renderGlance(brief(message), time, style())}\n`), aborted(limited)]);
        }
        return { kind: 'delivered', detail: 'written to the terminal' };
      } catch (error) {
        return unanswered('The terminal', error, signal);
      }
    },
  };
}

/** A terminal may be held (Ctrl-S): then this rejects. */
async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted')),
      { once: true },
    );
  });
}
