/**
 * Classifies replies. A success has the expected media type, is strict UTF-8 and standard JSON. All other HTTP statuses
 * are decided here.
 */
import { LIMITS } from '../core/observation/limits.ts';
import { ProviderError, type Naming, type ProviderErrorCode } from './errors.ts';
import { cleanLine } from './status-rows.ts';
import { formatAdvice, toMediaType, type Ask, type Reply } from './transport.ts';

/** Quoted characters of a provider's error text. */
const TEXT_LIMIT = 300;
const MESSAGES_LIMIT = 50;

/** Throws `contract_broken` for a media type that `accepts` rejects; a missing one is allowed. */
export function refuseOtherType(reply: Reply, ask: Ask, accepts: (type: string) => boolean, wanted: string): void {
  const type = toMediaType(reply.header('content-type'));
  if (type !== '' && !accepts(type)) {
    const found = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'something unreadable';
    const words = `answered with ${found} where ${wanted} was expected${formatAdvice(ask)}`;
    throw new ProviderError('contract_broken', ask, ({ it }) => `${it} ${words}`, { status: reply.status });
  }
}

/** Expected format of a reply. */
export interface Form {
  /** Throws a `ProviderError` for another format. */
  refuseOthers(reply: Reply, ask: Ask): void;
  /** Throws a `ProviderError` if unreadable. `extent`: size of the parsed value. */
  read(reply: Reply, ask: Ask): { value: unknown; extent: Extent };
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || type === 'text/json' || /^[\w.-]+\/[\w.-]+\+json$/.test(type);
}

function refuseOtherThanJson(reply: Reply, ask: Ask): void {
  refuseOtherType(reply, ask, isJsonType, 'JSON');
}

/** Skips a byte-order mark. Invalid JSON is rejected without quoting it. */
export function readJson(reply: Reply, ask: Ask): { value: unknown; extent: Extent } {
  const broken = (why: string, code: ProviderErrorCode = 'contract_broken'): ProviderError =>
    new ProviderError(code, ask, ({ of }) => `the answer${of} ${why}`, { status: reply.status });
  if (reply.body.byteLength === 0) {
    throw broken('is empty');
  }
  const extent = measureJson(reply.body);
  const excess = excessOf(extent);
  if (excess !== null) {
    throw broken(excess.why, excess.code);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(reply.body);
  } catch {
    throw broken('is not valid UTF-8');
  }
  try {
    return { value: JSON.parse(text) as unknown, extent };
  } catch {
    throw broken(isWebPage(text) ? `is a web page and not JSON${formatAdvice(ask)}` : describeBrokenJson(text));
  }
}

export const JSON_FORM: Form = { refuseOthers: refuseOtherThanJson, read: readJson };

/** The parser's message quotes the body, which may contain secrets: describe only its kind. */
function describeBrokenJson(text: string): string {
  return /^\s*[{[]/.test(text) ? 'is broken or cut off JSON' : 'is not JSON';
}

function isWebPage(text: string): boolean {
  return /^\s*</.test(text);
}

/** Size of a body, counted on its bytes: parsing first could take many times the memory. */
export interface Extent {
  /** Objects and lists. */
  containers: number;
  values: number;
  depth: number;
}

/** Stops at the first exceeded limit. Outside strings, brackets and commas are single bytes in UTF-8. */
export function measureJson(body: Uint8Array): Extent {
  const extent: Extent = { containers: 0, values: 0, depth: 0 };
  let depth = 0;
  let inText = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (inText) {
      if (byte === BACKSLASH) {
        index += 1;
      } else if (byte === QUOTE) {
        inText = false;
      }
    } else if (byte === QUOTE) {
      inText = true;
    } else if (byte === COMMA) {
      extent.values += 1;
    } else if (byte === LIST || byte === OBJECT) {
      extent.containers += 1;
      extent.values += 1;
      depth += 1;
      extent.depth = Math.max(extent.depth, depth);
      if (excessOf(extent) !== null) {
        return extent;
      }
    } else if (byte === LIST_END || byte === OBJECT_END) {
      depth -= 1;
    }
  }
  return extent;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The exceeded limit as end of a sentence; null if none. */
function excessOf({ containers, values, depth }: Extent): { code: ProviderErrorCode; why: string } | null {
  if (depth > LIMITS.depth) {
    return { code: 'contract_broken', why: `nests more than ${LIMITS.depth} deep` };
  }
  if (containers > LIMITS.containers) {
    return { code: 'too_large', why: `holds more than ${LIMITS.containers} objects and lists` };
  }
  return values > LIMITS.values ? { code: 'too_large', why: `holds more than ${LIMITS.values} values` } : null;
}

export interface Circumstances {
  retryAfterMs: number | null;
  /** Redacted wherever the provider echoes them. */
  secrets: readonly string[];
  /** Redacts secrets of other sources in a body. */
  clean?: (body: unknown) => unknown;
}

/** The error for a status other than 2xx and 304. */
export function toRefusal(reply: Reply, ask: Ask, { retryAfterMs, secrets, clean }: Circumstances): ProviderError {
  const { status } = reply;
  const code = meaning(status);
  const body = parseQuietly(reply.body);
  const said = code === 'server_error' ? null : readReason(clean === undefined ? body : clean(body), secrets);
  const words = said?.text ? `: ${said.text}` : '';
  const advice = code === 'not_found' ? formatAdvice(ask) : '';
  const sentenceOf = (asked: Naming): string =>
    `${sentence(code, status, asked, findCredentials(ask))}${words}${advice}`;
  return new ProviderError(code, ask, sentenceOf, {
    status,
    retryAfterMs,
    fields: said?.fields ?? null,
    inForm: reply.body.byteLength === 0 || body !== undefined,
  });
}

function meaning(status: number): ProviderErrorCode {
  switch (status) {
    case 401:
    case 403:
      return 'credentials';
    case 404:
    case 410:
      return 'not_found';
    case 408:
      return 'timeout';
    case 422:
      return 'validation';
    case 429:
      return 'rate_limited';
    default:
      if (status >= 500) {
        return 'server_error';
      }
      return status >= 400 ? 'refused' : 'contract_broken';
  }
}

/** Subject of a 401 or 403: the key, or access in general if none was sent. */
export function findCredentials({ headers }: Ask): string {
  return 'authorization' in headers ? 'the credentials were' : 'access was';
}

function sentence(code: ProviderErrorCode, status: number, { after }: Naming, credentials: string): string {
  switch (code) {
    case 'credentials':
      return `${credentials} refused with ${status}${after('by')}`;
    case 'not_found':
      return `there is no such thing (${status})${after('at')}`;
    case 'validation':
      return `the input was refused (${status})${after('by')}`;
    case 'rate_limited':
      return `too many requests (${status})${after('at')}`;
    case 'server_error':
      return `the provider failed with ${status}${after('at')}`;
    case 'timeout':
      return `the provider gave up waiting (${status})${after('at')}`;
    case 'refused':
      return `refused with ${status}${after('by')}`;
    default:
      return `an answer with the unexpected status ${status}${after('from')}`;
  }
}

interface SaidReason {
  text: string;
  fields: Record<string, string[]> | null;
}

/** The provider's text: a JSON string, or `message` and `errors`; never a stack trace or HTML. */
function readReason(body: unknown, secrets: readonly string[]): SaidReason | null {
  if (typeof body === 'string') {
    return { text: summarizeText(body, secrets), fields: null };
  }
  if (typeof body !== 'object' || body === null || 'exception' in body || 'trace' in body) {
    return null;
  }
  const text = 'message' in body && typeof body.message === 'string' ? summarizeText(body.message, secrets) : '';
  const fields = 'errors' in body ? readFields(body.errors, secrets) : null;
  return { text, fields };
}

function readFields(errors: unknown, secrets: readonly string[]): Record<string, string[]> | null {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) {
    return null;
  }
  const fields = Object.create(null) as Record<string, string[]>;
  for (const [name, messages] of Object.entries(errors).slice(0, MESSAGES_LIMIT)) {
    const list: unknown[] = Array.isArray(messages) ? messages : [messages];
    fields[cleanLine(name, 80)] = list
      .filter((message) => typeof message === 'string')
      .slice(0, MESSAGES_LIMIT)
      .map((message) => summarizeText(message, secrets));
  }
  return fields;
}

function parseQuietly(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8').decode(body));
  } catch {
    // HTML or empty: only the status counts.
    return undefined;
  }
}

/** One short line without secrets. */
export function summarizeText(text: string, secrets: readonly string[]): string {
  let words = cleanLine(text, TEXT_LIMIT * 4);
  for (const secret of secrets) {
    words = words.replaceAll(secret, '[hidden]');
  }
  return words.slice(0, TEXT_LIMIT);
}
