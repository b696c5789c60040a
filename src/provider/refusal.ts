/** What every HTTP status that is no success means, decided in one place. */
import { ProviderError, type Naming, type ProviderErrorCode } from './errors.ts';
import { plainLine } from './plain-text.ts';
import { adviceOf, type Ask, type Reply } from './transport.ts';

const TEXT_LIMIT = 300;
const MESSAGES_LIMIT = 50;

export interface Circumstances {
  retryAfterMs: number | null;
  /** Struck out wherever the provider echoes them. */
  secrets: readonly string[];
}

/** The error for an answer outside 2xx and 304 whose body may say why. */
export function refusal(reply: Reply, ask: Ask, { retryAfterMs, secrets }: Circumstances): ProviderError {
  const { status } = reply;
  const code = meaning(status);
  const body = parseQuietly(reply.body);
  const said = code === 'server_error' ? null : readReason(body, secrets);
  const words = said?.text ? `: ${said.text}` : '';
  const advice = code === 'not_found' ? adviceOf(ask) : '';
  const sentenceOf = (asked: Naming): string => `${sentence(code, status, asked, credentialsOf(ask))}${words}${advice}`;
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

/** What is refused with 401 or 403: the key that was shown, or simply access where none was. */
export function credentialsOf({ headers }: Ask): string {
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

interface Reason {
  text: string;
  fields: Record<string, string[]> | null;
}

/** The provider's own words: a plain JSON string, or `message` and `errors`; never a trace, never a web page. */
function readReason(body: unknown, secrets: readonly string[]): Reason | null {
  if (typeof body === 'string') {
    return { text: wordsOf(body, secrets), fields: null };
  }
  if (typeof body !== 'object' || body === null || 'exception' in body || 'trace' in body) {
    return null;
  }
  const text = 'message' in body && typeof body.message === 'string' ? wordsOf(body.message, secrets) : '';
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
    fields[plainLine(name, 80)] = list
      .filter((message) => typeof message === 'string')
      .slice(0, MESSAGES_LIMIT)
      .map((message) => wordsOf(message, secrets));
  }
  return fields;
}

function parseQuietly(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8').decode(body));
  } catch {
    // A web page or nothing: the status has to speak for itself.
    return undefined;
  }
}

/** The provider's text, on one line, short, and without our secrets should it echo them. */
export function wordsOf(text: string, secrets: readonly string[]): string {
  let words = plainLine(text, TEXT_LIMIT * 4);
  for (const secret of secrets) {
    words = words.replaceAll(secret, '[hidden]');
  }
  return words.slice(0, TEXT_LIMIT);
}
