/** Where a result goes: standard output, or a file that is there whole or not at all. */
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandFailure, UsageError } from '../command.ts';
import type { Platform } from '../platform.ts';
import { forTerminal } from '../terminal-text.ts';
import { readErrorCode, explainDiskError } from '../../net/failure.ts';

export interface Destination {
  /** As the user wrote it; null for standard output. */
  readonly file: string | null;
  /** From outside: a terminal is shown what it would obey and does not obey it. */
  write(chunk: Uint8Array | string): Promise<void>;
  /** Our own rendering, harmless already: its colours reach a terminal as they are. */
  print(text: string): Promise<void>;
  /** The whole result is written. */
  finish(): Promise<void>;
  /** Nothing came of it: leaves no half of a file behind. Does nothing after `finish`. */
  abandon(): Promise<void>;
}

/** Opened before anything is asked of the provider, so that a file that cannot be written costs nothing. */
export async function openDestination(platform: Platform, file: string | undefined): Promise<Destination> {
  if (file === undefined || file === '-') return standardOutput(platform);
  const path = resolve(platform.cwd, file);
  // A device or a pipe is written to; only a file is replaced.
  const isReplaced = await isFileOrNothing(path, file);
  const written = isReplaced ? `${path}.${platform.pid}.part` : path;
  const handle = await opened(written, file, isReplaced);
  return replacing(handle, { path, written, file, isReplaced });
}

function standardOutput({ out }: Platform): Destination {
  const shown = out.isTerminal ? forTerminal() : null;
  async function put(chunk: Uint8Array | string): Promise<void> {
    if (!out.stream.write(chunk)) await once(out.stream, 'drain');
  }
  return {
    file: null,
    write: (chunk) => put(shown === null ? chunk : shown(chunk)),
    print: put,
    finish: () => Promise.resolve(),
    abandon: () => Promise.resolve(),
  };
}

async function isFileOrNothing(path: string, file: string): Promise<boolean> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new UsageError(`--output ${file} is a directory`);
    return found.isFile();
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return true;
    if (readErrorCode(error) === null) throw error;
    throw new UsageError(`--output ${file} cannot be written: ${explainDiskError(error)}`, { cause: error });
  }
}

async function opened(path: string, file: string, isNew: boolean): Promise<FileHandle> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  try {
    // Transcripts and results with secrets are for the one who asked.
    return await open(path, isNew ? O_WRONLY | O_CREAT | O_EXCL : O_WRONLY, 0o600);
  } catch (error) {
    throw new UsageError(`--output ${file} cannot be written: ${explainDiskError(error)}`, { cause: error });
  }
}

interface OutputFile {
  path: string;
  written: string;
  file: string;
  isReplaced: boolean;
}

function replacing(handle: FileHandle, { path, written, file, isReplaced }: OutputFile): Destination {
  let isOpen = true;
  async function orTold(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw new CommandFailure(`--output ${file} could not be written: ${explainDiskError(error)}`, {
        cause: error,
      });
    }
  }
  const write = (chunk: Uint8Array | string): Promise<void> => orTold(() => handle.writeFile(chunk));
  return {
    file,
    write,
    print: write,
    async finish() {
      isOpen = false;
      await orTold(async () => {
        await handle.close();
        if (isReplaced) await rename(written, path);
      });
    },
    async abandon() {
      if (!isOpen) return;
      isOpen = false;
      await handle.close();
      if (isReplaced) await rm(written, { force: true });
    },
  };
}
