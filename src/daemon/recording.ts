/**
 * One history being written, as a file that `replay` plays: steps are added at its end as they come, and nothing of
 * them is kept in memory. After every step the file is a whole history.
 */
import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface Recording {
  /** Grows when the history had to be begun anew: what was written before is not in the new file. */
  readonly begun: number;
  /** Steps are written in the order of these calls. Rejects when the disk refuses. */
  add(step: object): Promise<void>;
}

export interface RecordingOptions {
  name: string;
  directory: string;
  /** Settings of the accounts whose answers are written: their sites and labels. */
  accounts: Readonly<Record<string, object>>;
  now(): number;
  /** Strikes out secrets. */
  redact(text: string): string;
}

const END = '\n]}\n';
/** Nobody but us begins this file, and what a link leads to is not ours to write. */
const BEGIN = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const CONTINUE = constants.O_WRONLY | constants.O_NOFOLLOW;

export function createRecording({ name, directory, accounts, now, redact }: RecordingOptions): Recording {
  let begun = 0;
  let path: string | null = null;
  let queue = Promise.resolve();

  async function begin(line: string): Promise<void> {
    const at = new Date(now()).toISOString();
    const head = JSON.stringify({ name, title: `recorded from ${at}`, accounts }).slice(0, -1);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const fresh = join(directory, `${name}-${at.replaceAll(/[:.]/g, '-')}.json`);
    // A link that somebody left under this name goes, and not what it leads to.
    await rm(fresh, { force: true });
    await using file = await open(fresh, BEGIN, 0o600);
    await file.writeFile(`${redact(head)},"steps":[\n${line}${END}`);
    path = fresh;
  }

  async function append(known: string, line: string): Promise<void> {
    await using file = await open(known, CONTINUE);
    const { size } = await file.stat();
    await file.write(Buffer.from(`,\n${line}${END}`), 0, null, size - END.length);
  }

  async function write(step: object): Promise<void> {
    const line = redact(JSON.stringify(step));
    try {
      await (path === null ? begin(line) : append(path, line));
    } catch (error) {
      // Moved away, or half written: the next step begins another.
      path = null;
      begun += 1;
      throw error;
    }
  }

  return {
    get begun() {
      return begun;
    },
    add(step) {
      const written = queue.then(() => write(step));
      queue = written.catch(() => undefined);
      return written;
    },
  };
}
