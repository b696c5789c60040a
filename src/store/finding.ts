/** What opening a document found that people should be told. */
import { ForeseenError } from '../net/failure.ts';

/**
 * - `migrated`: an older schema was read and brought up to date; the next commit writes it so.
 * - `restored`: the file was missing or broken and the copy kept before it took its place: the last commit may be lost.
 * - `corrupt`: every copy was broken; they were kept aside and the document starts empty.
 * - `permissions`: the state directory can be read by others and could not be closed to them.
 * - `unwritable`: the state directory is read-only, so that it could not be locked and nothing can be saved.
 */
const FINDING_KINDS = ['migrated', 'restored', 'corrupt', 'permissions', 'unwritable'] as const;

export interface Finding {
  kind: (typeof FINDING_KINDS)[number];
  /** The file or directory it concerns. */
  path: string;
  /** Broken files that were kept for a person to look at. */
  keptAside: readonly string[];
  /** One sentence or a few for people: what was found and what was done. */
  message: string;
}

/** An older schema was read at `path`. */
export function toMigrationFinding(path: string, from: number, to: number): Finding {
  const message = `${path} was read with schema ${from} and brought up to schema ${to}; the next commit writes it so.`;
  return { kind: 'migrated', path, keptAside: [], message };
}

/**
 * - `newer-schema`: a newer Linewatch wrote it; nothing is touched, because writing would lose what only that one knows.
 * - `unknown-schema`: an older one wrote it, and there is no way up from there, or a step of it failed.
 * - `not-ours`: the directory belongs to another user.
 * - `link`: a name in the directory leads elsewhere.
 */
export type RefusalKind = 'newer-schema' | 'unknown-schema' | 'not-ours' | 'link';

/** State that must not be used by this program. It is left exactly as it is. */
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
