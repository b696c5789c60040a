/** Names of documents and their file names. */

/** Kind and name identify a document; each kind has its own directory. */
export interface DocumentName {
  kind: DocumentKind;
  name: string;
}

const DIRECTORIES = { instance: 'instance', source: 'sources', receiver: 'receivers', calls: 'calls' } as const;
export type DocumentKind = keyof typeof DIRECTORIES;
export const documentDirectories: readonly string[] = Object.values(DIRECTORIES);

/** Leaves room for the extensions of copies within the 255 bytes of a file name. */
const LONGEST_FILE_NAME = 200;

const PLAIN = /^[a-z0-9-]+$/;
/** Letters of all scripts stay readable; everything else, including dots and slashes, is encoded as bytes. */
const UNSAFE = /[^\p{L}\p{N}_-]/gu;

export function toSourceDocument(name: string): DocumentName {
  return { kind: 'source', name };
}

export function toReceiverDocument(name: string): DocumentName {
  return { kind: 'receiver', name };
}

/** Calls of one day of an account: its name, a hyphen and `20261126`. */
export function toCallsDocument(name: string): DocumentName {
  return { kind: 'calls', name };
}

/** Documents of the instance rather than a source: silences, alert counter. */
export function toInstanceDocument(name: string): DocumentName {
  return { kind: 'instance', name };
}

/** Relative to the state directory. */
export function toDirectory(kind: DocumentKind): string {
  return DIRECTORIES[kind];
}

/** File name without extension. Throws `RangeError` for an impossible name. */
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

/** Null if `encodeName` cannot produce it. */
export function decodeName(kind: DocumentKind, encoded: string): DocumentName | null {
  try {
    const document: DocumentName = { kind, name: decodeURIComponent(encoded) };
    return encodeName(document) === encoded ? document : null;
  } catch {
    // A stray file is ignored.
    return null;
  }
}

function percentEncode(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
