/** Writes messages to a terminal, for the demonstration and for trying things out. */
import { unanswered } from '../outcome.ts';
import type { Receiver, ReceiverDeps } from '../receiver.ts';
import { renderTerminal, type TerminalStyle } from './render.ts';

export interface TerminalOptions {
  name: string;
  /** Resolves when the text is written. */
  write: (text: string) => Promise<void> | void;
  /** Asked anew for each message, since a window may be resized. */
  style: () => TerminalStyle;
}

/** A terminal that takes nothing within the time limit, as one that was stopped, has failed for now. */
export function terminalReceiver(
  { name, write, style }: TerminalOptions,
  { brief, timeoutMs }: ReceiverDeps,
): Receiver {
  return {
    name,
    type: 'terminal',
    audience: 'people',
    batch: 1,
    async send(messages, signal) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        for (const message of messages) {
          limited.throwIfAborted();
          await Promise.race([write(`${renderTerminal(brief(message), style())}\n`), aborted(limited)]);
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
