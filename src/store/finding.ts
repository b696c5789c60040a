/** Findings on opening a document that people must know. */
import { ForeseenError } from '../net/failure.ts';

/**
 * - `migrated`: an older schema was migrated; the next commit saves it.
 * - `restored`: the file was missing or broken and was replaced by its previous copy; the last commit may be lost.
 * - `corrupt`: all copies were broken; they were set aside and the document starts empty.
 * - `permissions`: other users can read the state directory, and its mode could not be changed.
 * - `unwritable`: the state directory is read-only: no lock, and nothing can be saved.
 */
const FINDING_KINDS = ['migrated', 'restored', 'corrupt', 'permissions', 'unwritable'] as const;

export interface StoreFinding {
  kind: (typeof FINDING_KINDS)[number];
  /** The file or directory concerned. */
  path: string;
  /** Broken files set aside for inspection. */
  keptAside: readonly string[];
  /** Sentences for people: the finding and the action taken. */
  message: string;
}

export function toMigrationFinding(path: string, from: number, to: number): StoreFinding {
  const message = `${path} was read with schema ${from} and brought up to schema ${to}; the next commit writes it so.`;
  return { kind: 'migrated', path, keptAside: [], message };
}

/**
 * - `newer-schema`: written by a newer Linewatch; writing would lose data.
 * - `unknown-schema`: written by an older one, without a working migration.
 * - `not-ours`: the directory belongs to another user.
 * - `link`: a name in the directory is a symlink.
 */
export type RefusalKind = 'newer-schema' | 'unknown-schema' | 'not-ours' | 'link';

/** State that this program must not use; it stays unchanged. */
export class StateRefused extends ForeseenError {
  override readonly name = 'StateRefused';
  readonly kind: RefusalKind;
  readonly path: string;

  constructor(kind: RefusalKind, path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.path = path;
  }
}
