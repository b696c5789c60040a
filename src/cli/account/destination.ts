/** Output of a result: stdout, or a file that is written completely or not at all. */
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandFailure, UsageError } from '../command.ts';
import type { Platform } from '../platform.ts';
import { createTerminalEscaper } from '../terminal-text.ts';
import { readErrorCode, explainDiskError } from '../../net/failure.ts';

export interface Destination {
  /** As entered; null for stdout. */
  readonly file: string | null;
  /** External text: control sequences are escaped on a terminal. */
  write(chunk: Uint8Array | string): Promise<void>;
  /** Our own output: colours reach a terminal unchanged. */
  print(text: string): Promise<void>;
  /** Call after the last write. */
  finish(): Promise<void>;
  /** Removes a partial file. No effect after `finish`. */
  abandon(): Promise<void>;
}

/** Opens the file before any request, so that an unwritable one costs nothing. */
export async function openDestination(platform: Platform, file: string | undefined): Promise<Destination> {
  if (file === undefined || file === '-') return standardOutput(platform);
  const path = resolve(platform.cwd, file);
  // Devices and pipes are written directly; only files are replaced.
  const isReplaced = await isFileOrNothing(path, file);
  const written = isReplaced ? `${path}.${platform.pid}.part` : path;
  const handle = await opened(written, file, isReplaced);
  return replacing(handle, { path, written, file, isReplaced });
}

function standardOutput({ out }: Platform): Destination {
  const shown = out.isTerminal ? createTerminalEscaper() : null;
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
    // Mode 0600: transcripts and secrets are for the current user.
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
