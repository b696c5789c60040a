/**
 * Classifies replies. A success has the expected media type, is strict UTF-8 and standard JSON. All other HTTP statuses
 * are decided here.
 */
import { ProviderError, type Naming, type ProviderErrorCode } from './errors.ts';
import { type Extent, readJson } from './json-body.ts';
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

export const JSON_FORM: Form = { refuseOthers: refuseOtherThanJson, read: readJson };

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
      return `the server failed with ${status}${after('at')}`;
    case 'timeout':
      return `the server gave up waiting (${status})${after('at')}`;
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
