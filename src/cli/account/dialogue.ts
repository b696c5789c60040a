/** Questions at the terminal, and secrets from stdin. */
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { UsageError } from '../command.ts';
import type { Output, Platform } from '../platform.ts';
import type { ReadSecret } from './typed-input.ts';
import { toOption } from './parsed-options.ts';

/** Delay before progress is shown. */
const PATIENCE_MS = 400;

/** True if stdin and stderr are terminals. */
export function canAsk({ input, err }: Platform): boolean {
  return input.isTerminal && err.isTerminal;
}

/** Only an explicit yes counts; end of input means no. */
export async function confirm(platform: Platform, question: string, signal: AbortSignal): Promise<boolean> {
  const answer = await ask(platform, `${question} [y/N] `, { isHidden: false, signal });
  return /^\s*y(es)?\s*$/i.test(answer ?? '');
}

/** Hidden input from a terminal, else all of stdin without a final line break. */
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

/** One line; null if the input ends or is aborted first. */
export async function ask(
  { input, err }: Platform,
  question: string,
  { isHidden, signal }: { isHidden: boolean; signal?: AbortSignal },
): Promise<string | null> {
  if (signal?.aborted || input.stream.readableEnded) return null;
  const lines = createInterface({
    input: input.stream,
    // The interface echoes to its terminal; hidden input is echoed nowhere.
    ...(isHidden
      ? { output: new Writable({ write: (_chunk, _encoding, done) => done() }), terminal: true }
      : { terminal: false }),
  });
  // Only now: earlier input would still be echoed by the terminal.
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
  /** Replaces the text. */
  say(text: string): void;
}

/** Shows progress on a terminal if the work takes long. */
export async function withProgress<T>(err: Output, text: string, work: (progress: Spinner) => Promise<T>): Promise<T> {
  if (!err.isTerminal || !err.colour || !canRedraw(err.stream)) return work({ say: () => {} });
  let said = text;
  let spinner: { text: string; stop(): unknown } | null = null;
  let isOver = false;
  async function show(): Promise<void> {
    // Loaded on demand: fast operations need no spinner.
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
    // Assigned in the callback, which the compiler does not track.
    (spinner as { stop(): unknown } | null)?.stop();
  }
}

/** Frames overwrite each other by counting lines: a width of 0 would make the count infinite. */
function canRedraw(stream: object): boolean {
  return 'isTTY' in stream && stream.isTTY === true && 'columns' in stream && Number(stream.columns) > 0;
}
