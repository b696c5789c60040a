/** Shows that something is under way, on a terminal and only when it takes long. */
import type { Output } from '../platform.ts';

const PATIENCE_MS = 400;

export interface Progress {
  /** Replaces what is said. */
  say(text: string): void;
}

export async function withProgress<T>(err: Output, text: string, work: (progress: Progress) => Promise<T>): Promise<T> {
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
