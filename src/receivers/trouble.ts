/**
 * Why no answer came, in a sentence. Messages of errors may hold addresses, and addresses may hold secrets:
 * only codes known here are turned into words, and nothing of an error's own text leaves this file.
 */

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was closed while sending'],
  ['ECONNABORTED', 'the connection was broken off'],
  ['ENOTFOUND', 'the host name was not found'],
  ['EAI_AGAIN', 'the name server did not answer'],
  ['EDNS', 'the host name could not be looked up'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['ETIMEDOUT', 'no answer in time'],
  ['ESOCKETTIMEDOUT', 'no answer in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no answer in time'],
  ['EPROTO', 'the other side does not speak TLS as expected'],
  ['ETLS', 'no encrypted connection could be made'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the other side does not speak TLS on this port'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['CERT_NOT_YET_VALID', 'its certificate is not valid yet'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate chain holds a self-signed certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not signed by an authority known here'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is not signed by an authority known here'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host name'],
  ['HPE_INVALID_CONSTANT', 'the answer is not HTTP'],
  ['ECONNECTION', 'the connection could not be made or broke off'],
  ['ESOCKET', 'the connection failed'],
]);

interface Coded {
  code?: unknown;
  name?: unknown;
  cause?: unknown;
  /** What nodemailer calls the code of the error it met. */
  originalCode?: unknown;
  original?: unknown;
}

/** The codes of an error and of what caused it, outermost first. */
export function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, name, cause, originalCode, original } = current as Coded;
    if (typeof code === 'string') codes.push(code);
    if (typeof originalCode === 'string') codes.push(originalCode);
    if (name === 'TimeoutError') codes.push('ETIMEDOUT');
    // Some libraries keep the error they met as `original`.
    current = cause ?? original;
  }
  return codes;
}

/** One sentence without a final full stop; the deepest known code says most. */
export function troubleText(error: unknown, signal: AbortSignal): string {
  const known = codesOf(error).findLast((code) => SENTENCES.has(code));
  if (signal.aborted) return 'stopped before an answer came';
  return known === undefined ? 'the connection failed' : (SENTENCES.get(known) ?? 'the connection failed');
}
