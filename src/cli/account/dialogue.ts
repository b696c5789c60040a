/** Questions to the person at the terminal, and secrets from standard input. */
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { UsageError } from '../command.ts';
import type { Output, Platform } from '../platform.ts';
import type { ReadSecret } from './typed-input.ts';
import { toOption } from './parsed-options.ts';

/** What is answered within this needs no sign that it is under way. */
const PATIENCE_MS = 400;

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
export function createSecretReader(platform: Platform): ReadSecret {
  let readBefore: string | null = null;
  return async (field) => {
    if (canAsk(platform)) {
      const typed = await ask(platform, `${toOption(field)}: `, { isHidden: true });
      if (typed === null || typed === '') throw new UsageError(`${toOption(field)}: nothing was typed`);
      return typed;
    }
    if (readBefore !== null) {
      throw new UsageError(
        `standard input can be read for ${toOption(readBefore)} or ${toOption(field)}, not for both`,
      );
    }
    readBefore = field;
    const given = (await readAll(platform.input.stream)).replace(/\r?\n$/, '');
    if (given === '') throw new UsageError(`${toOption(field)} - found nothing on standard input`);
    return given;
  };
}

/** One line; null where the input ended, or was ended, before there was one. */
export async function ask(
  { input, err }: Platform,
  question: string,
  { isHidden, signal }: { isHidden: boolean; signal?: AbortSignal },
): Promise<string | null> {
  if (signal?.aborted || input.stream.readableEnded) return null;
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

interface Spinner {
  /** Replaces what is said. */
  say(text: string): void;
}

/** Shows that something is under way, on a terminal and only when it takes long. */
export async function withProgress<T>(err: Output, text: string, work: (progress: Spinner) => Promise<T>): Promise<T> {
  if (!err.isTerminal || !err.colour || !canRedraw(err.stream)) return work({ say: () => {} });
  let said = text;
  let spinner: { text: string; stop(): unknown } | null = null;
  let isOver = false;
  async function show(): Promise<void> {
    // Loaded here, so that whatever is quick does without it.
    const { default: ora } = await import('ora');
    if (!isOver) spinner = ora({ text: said, stream: err.stream, discardStdin: false, isEnabled: true }).start();
  }
  const timer = setTimeout(() => void show(), PATIENCE_MS);
  try {
    return await work({
      say(next) {
        said = next;
        if (spinner !== null) spinner.text = next;
      },
    });
  } finally {
    isOver = true;
    clearTimeout(timer);
    // Assigned in the function above, which the compiler does not follow.
    (spinner as { stop(): unknown } | null)?.stop();
  }
}

/** Frames are drawn over each other, for which the lines of the last are counted: a width of 0 would make them endless. */
function canRedraw(stream: object): boolean {
  return 'isTTY' in stream && stream.isTTY === true && 'columns' in stream && Number(stream.columns) > 0;
}
