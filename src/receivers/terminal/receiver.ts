/** Writes messages to a terminal, for the demonstration and for trying things out. */
import type { Brief } from '../brief.ts';
import type { Receiver } from '../receiver.ts';
import { troubleText } from '../trouble.ts';
import type { TerminalStyle } from './render.ts';
import { renderTerminal } from './render.ts';

export interface TerminalOptions {
  name: string;
  brief: Brief;
  /** Resolves when the text is written. */
  write: (text: string) => Promise<void> | void;
  /** Asked anew for each message, since a window may be resized. */
  style: () => TerminalStyle;
}

export function terminalReceiver({ name, brief, write, style }: TerminalOptions): Receiver {
  return {
    name,
    type: 'terminal',
    audience: 'people',
    batch: 1,
    async send(messages, signal) {
      if (signal.aborted)
        return { kind: 'transient', reason: 'The terminal: stopped before anything was written', retryAfterMs: null };
      try {
        for (const message of messages) await write(`${renderTerminal(brief(message), style())}\n`);
        return { kind: 'delivered', detail: 'written to the terminal' };
      } catch (error) {
        return { kind: 'transient', reason: `The terminal: ${troubleText(error, signal)}`, retryAfterMs: null };
      }
    },
  };
}
