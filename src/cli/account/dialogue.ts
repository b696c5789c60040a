/** Questions to the person at the terminal, and secrets from standard input. */
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { UsageError } from '../errors.ts';
import type { Platform } from '../platform.ts';
import type { ReadSecret } from './input.ts';
import { optionOf } from './written.ts';

/** Whether somebody is there to read a question and to answer it. */
export function canAsk({ input, err }: Platform): boolean {
  return input.isTerminal && err.isTerminal;
}

/** Only a clear yes is one; the end of the input is a no. */
export async function confirm(platform: Platform, question: string, signal: AbortSignal): Promise<boolean> {
  const answer = await ask(platform, `${question} [y/N] `, { isHidden: false, signal });
  return /^\s*y(es)?\s*$/i.test(answer ?? '');
}

/** From the terminal without showing it, else all of standard input; a line break at its end does not belong to it. */
export function secretReader(platform: Platform): ReadSecret {
  let readBefore: string | null = null;
  return async (field) => {
    if (canAsk(platform)) {
      const typed = await ask(platform, `${optionOf(field)}: `, { isHidden: true });
      if (typed === null || typed === '') throw new UsageError(`${optionOf(field)}: nothing was typed`);
      return typed;
    }
    if (readBefore !== null) {
      throw new UsageError(
        `standard input can be read for ${optionOf(readBefore)} or ${optionOf(field)}, not for both`,
      );
    }
    readBefore = field;
    const given = (await readAll(platform.input.stream)).replace(/\r?\n$/, '');
    if (given === '') throw new UsageError(`${optionOf(field)} - found nothing on standard input`);
    return given;
  };
}

/** One line; null where the input ended, or was ended, before there was one. */
async function ask(
  { input, err }: Platform,
  question: string,
  { isHidden, signal }: { isHidden: boolean; signal?: AbortSignal },
): Promise<string | null> {
  if (signal?.aborted) return null;
  const lines = createInterface({
    input: input.stream,
    // With a terminal of its own the interface echoes what is typed; into nothing, where nobody should see it.
    ...(isHidden
      ? { output: new Writable({ write: (_chunk, _encoding, done) => done() }), terminal: true }
      : { terminal: false }),
  });
  // Only now: whoever answers at once would still have been shown by the terminal itself.
  err.write(question);
  return new Promise((resolve) => {
    let answer: string | null = null;
    lines.once('line', (line) => {
      answer = line;
      lines.close();
    });
    const giveUp = (): void => lines.close();
    lines.once('SIGINT', giveUp);
    signal?.addEventListener('abort', giveUp, { once: true });
    lines.once('close', () => {
      signal?.removeEventListener('abort', giveUp);
      if (isHidden || answer === null) err.write('\n');
      resolve(answer);
    });
  });
}
