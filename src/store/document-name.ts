/** Which documents there are, and under which file names they stand. */

/** A document is found by its kind and its name; each kind has a directory of its own. */
export interface DocumentName {
  kind: DocumentKind;
  name: string;
}

const DIRECTORIES = { instance: 'instance', source: 'sources', receiver: 'receivers' } as const;
export type DocumentKind = keyof typeof DIRECTORIES;
export const documentDirectories: readonly string[] = Object.values(DIRECTORIES);

/** Leaves room for the endings of copies within the 255 bytes a file name may have. */
const LONGEST_FILE_NAME = 200;

const PLAIN = /^[a-z0-9-]+$/;
/** Letters of every script stay readable; all else, the point and the slash above all, is written as bytes. */
const UNSAFE = /[^\p{L}\p{N}_-]/gu;

export function toSourceDocument(name: string): DocumentName {
  return { kind: 'source', name };
}

export function toReceiverDocument(name: string): DocumentName {
  return { kind: 'receiver', name };
}

/** What belongs to the whole instance and to no source: silences, the alerts' counter. */
export function toInstanceDocument(name: string): DocumentName {
  return { kind: 'instance', name };
}

/** Below the state directory. */
export function toDirectory(kind: DocumentKind): string {
  return DIRECTORIES[kind];
}

/** The file's name without an ending. Throws a clear `RangeError` for a name that cannot be one. */
export function encodeName({ kind, name }: DocumentName): string {
  if (kind !== 'receiver' && !PLAIN.test(name)) {
    throw new RangeError(`The name ${JSON.stringify(name)} of a ${kind} may hold only a-z, 0-9 and "-".`);
  }
  if (name === '' || !name.isWellFormed()) {
    throw new RangeError(`The name ${JSON.stringify(name)} of a ${kind} must be text, at least one character.`);
  }
  const encoded = name.replaceAll(UNSAFE, percentEncode);
  const length = Buffer.byteLength(encoded);
  if (length > LONGEST_FILE_NAME) {
    throw new RangeError(
      `The name ${JSON.stringify(name)} of a ${kind} is too long: as a file name it takes ${length} bytes of at most ${LONGEST_FILE_NAME}.`,
    );
  }
  return encoded;
}

/** Null for what `encodeName` never makes. */
export function decodeName(kind: DocumentKind, encoded: string): DocumentName | null {
  try {
    const document: DocumentName = { kind, name: decodeURIComponent(encoded) };
    return encodeName(document) === encoded ? document : null;
  } catch {
    // A stray file: neither a name nor an error.
    return null;
  }
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
