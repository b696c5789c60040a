/**
 * Error codes of the operating system, Node.js, its parsers and the mail library, in words. Error messages may contain
 * addresses with secrets, so only the code is read.
 */

/**
 * An expected error. Its message says what is wrong and how to fix it, and contains no secret. Commands print only the
 * message; any other error is a bug and is printed with its stack.
 */
export class ForeseenError extends Error {
  override readonly name: string = 'ForeseenError';
}

/** Such as `ENOSPC`; null if the error has none. */
export function readErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** Disk errors in words; other codes are shown as they are. */
const DISK_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EIO: 'the disk reports an input/output error',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  ELOOP: 'it is a symbolic link, which is not followed',
  ENAMETOOLONG: 'the name is too long',
};

/** Reason and code, such as `there is no such file or directory (ENOENT)`. */
export function explainDiskError(error: unknown): string {
  const code = readErrorCode(error) ?? 'UNKNOWN';
  return `${DISK_ERRORS[code] ?? 'the disk refused'} (${code})`;
}

/** The step that failed. `name`: the lookup of the host; `answer`: the response arrived and cannot be read. */
export type NetworkTrouble = 'name' | 'connection' | 'timeout' | 'tls' | 'answer';

export interface NetworkFailure {
  trouble: NetworkTrouble;
  /** Without a full stop, as in `Slack: the host name was not found`. */
  words: string;
  /** Wording after an address, as in `https://… cannot be reached: its name is not known`. */
  ofAddress: string;
  /** False only if the server certainly received nothing of the request. */
  maybeSeen: boolean;
}

/** By code: the step that failed, `words`, and `ofAddress` if that differs. */
const NETWORK_ERRORS: ReadonlyMap<string, readonly [NetworkTrouble, string, string?]> = new Map([
  ['ENOTFOUND', ['name', 'the host name was not found', 'its name is not known']],
  ['EAI_AGAIN', ['name', 'the name server did not answer', 'its name could not be looked up']],
  ['EDNS', ['name', 'the host name could not be looked up']],
  ['ECONNREFUSED', ['connection', 'the connection was refused']],
  ['ECONNRESET', ['connection', 'the connection was reset']],
  ['ECONNABORTED', ['connection', 'the connection was broken off']],
  ['EPIPE', ['connection', 'the connection was closed while sending']],
  ['EHOSTUNREACH', ['connection', 'the host cannot be reached', 'there is no route to it']],
  ['ENETUNREACH', ['connection', 'the network cannot be reached', 'there is no network to it']],
  ['EADDRNOTAVAIL', ['connection', 'this machine has no address to connect from']],
  ['ERR_STREAM_PREMATURE_CLOSE', ['connection', 'the connection was closed before the end of the answer']],
  ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', ['connection', 'the connection was closed before the end of the answer']],
  ['EMFILE', ['connection', 'too many files are open here', 'Linewatch has too many files open']],
  ['ECONNECTION', ['connection', 'the connection could not be made or broke off']],
  ['ESOCKET', ['connection', 'the connection failed']],
  ['ETIMEDOUT', ['timeout', 'no answer in time']],
  ['ESOCKETTIMEDOUT', ['timeout', 'no answer in time']],
  ['UND_ERR_CONNECT_TIMEOUT', ['timeout', 'no answer in time']],
  ['HPE_INVALID_CONSTANT', ['answer', 'the answer is not HTTP', 'it does not speak HTTP']],
  ['Z_DATA_ERROR', ['answer', 'the compressed answer is damaged']],
  ['Z_BUF_ERROR', ['answer', 'the compressed answer is cut off']],
  ['ETLS', ['tls', 'no encrypted connection could be made']],
  ['EPROTO', ['tls', 'the other side does not speak TLS as expected']],
  ['ERR_SSL_WRONG_VERSION_NUMBER', ['tls', 'the other side does not speak TLS on this port']],
  ['CERT_HAS_EXPIRED', ['tls', 'its certificate has expired']],
  ['CERT_NOT_YET_VALID', ['tls', 'its certificate is not valid yet']],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ['tls', 'its certificate is self-signed']],
  ['SELF_SIGNED_CERT_IN_CHAIN', ['tls', 'its certificate chain holds a self-signed certificate']],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ['tls', 'its certificate is not signed by an authority known here']],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', ['tls', 'its certificate is not signed by an authority known here']],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ['tls', 'its certificate is for another host name']],
]);

/** Patterns for families of codes too large to list. */
const FAMILIES: readonly (readonly [RegExp, NetworkTrouble])[] = [
  [/^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/, 'tls'],
  [/^(HPE_|Z_)/, 'answer'],
];

/** Codes of errors that occur before anything is sent. */
const NEVER_SENT = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

/** Uses the innermost known code. Null if the error has none. */
export function classifyNetworkFailure(error: unknown): NetworkFailure | null {
  const codes = codesOf(error);
  const code = codes.findLast((each) => NETWORK_ERRORS.has(each)) ?? codes.at(-1);
  if (code === undefined) return null;
  const [known, words = 'the connection failed', ofAddress = words] = NETWORK_ERRORS.get(code) ?? [null];
  const trouble = known ?? FAMILIES.find(([family]) => family.test(code))?.[1] ?? 'connection';
  const maybeSeen = trouble !== 'tls' && !NEVER_SENT.has(code);
  if (trouble === 'tls') {
    return { trouble, words, ofAddress: `its certificate or TLS was not accepted (${code})`, maybeSeen };
  }
  return { trouble, words, ofAddress: known === null ? code : ofAddress, maybeSeen };
}

interface Coded {
  code?: unknown;
  name?: unknown;
  cause?: unknown;
  /** nodemailer's name for the code of the underlying error. */
  originalCode?: unknown;
  original?: unknown;
}

/** Codes of an error and its causes, outermost first. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, name, cause, originalCode, original } = current as Coded;
    if (typeof code === 'string') codes.push(code);
    if (typeof originalCode === 'string') codes.push(originalCode);
    if (name === 'TimeoutError') codes.push('ETIMEDOUT');
    // Some libraries store the underlying error as `original`.
    current = cause ?? original;
  }
  return codes;
}
