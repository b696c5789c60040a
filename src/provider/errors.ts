/**
 * The one family of failures of the provider's interfaces. A sentence names the address asked, the message begins with
 * the operation besides, and a reason names neither, for whoever knows of which part of which source it is told; none
 * of them ever holds a key, a header, or what the provider's debugger printed.
 */

export const PROVIDER_ERROR_CODES = [
  /** 401, 403, or a redirect to a login page. */
  'credentials',
  /** 404 or 410; `status` says which. */
  'not_found',
  /** The provider understood and said no; its text is in the message. */
  'refused',
  /** The input is wrong: found before sending, or the provider's 422 with its messages in `fields`. */
  'validation',
  /** 429; `retryAfterMs` where the provider said how long. */
  'rate_limited',
  'timeout',
  /** No answer at all: name not found, connection refused or reset, TLS. */
  'unreachable',
  /** 5xx. */
  'server_error',
  /** An answer that is not what the specification promises. */
  'contract_broken',
  /** From a cache, and older than what was seen. */
  'older_document',
  'too_large',
  /** A link or redirect that leads to another origin. */
  'foreign_link',
  /** Given up by us, at shutdown. */
  'cancelled',
] as const;

export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number];

/** What was asked: the id of an operation, e.g. `notices.list`, and where, if anywhere. */
interface AskedWith {
  operation: string;
  method?: string | undefined;
  url?: URL | undefined;
}

/** How a sentence speaks of the address that was asked. */
export interface Naming {
  /** `https://…`, or `it`. */
  it: string;
  /** `GET https://…`, or `it`. */
  request: string;
  /** ` of https://…`, or nothing. */
  of: string;
  /** After `by`, ` by GET https://…`, or nothing. */
  after(word: 'at' | 'by' | 'from'): string;
}

export interface ProviderErrorFacts {
  status?: number | null;
  retryAfterMs?: number | null;
  /** What is wrong with each field of the input. */
  fields?: Readonly<Record<string, readonly string[]>> | null;
  /** Other fields that the reasons in `fields` speak of. */
  named?: readonly string[];
  /** Its body is JSON or there is none: the interface itself answered, and not a web server before it. */
  inForm?: boolean;
  /** False only where it is certain that the provider saw nothing of the request. */
  maybeSeen?: boolean;
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderErrorCode;
  readonly operation: string;
  /** The message without the operation before it. */
  readonly sentence: string;
  /** The sentence without the address. */
  readonly reason: string;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly fields: Readonly<Record<string, readonly string[]>> | null;
  readonly named: readonly string[];
  readonly inForm: boolean;
  readonly maybeSeen: boolean;

  constructor(
    code: ProviderErrorCode,
    asking: AskedWith,
    words: (asked: Naming) => string,
    facts: ProviderErrorFacts = {},
  ) {
    const sentence = words(withAddress(asking));
    super(`${asking.operation}: ${sentence}`);
    this.code = code;
    this.operation = asking.operation;
    this.sentence = sentence;
    this.reason = words(WITHOUT_ADDRESS);
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.fields = facts.fields ?? null;
    this.named = facts.named ?? [];
    this.inForm = facts.inForm ?? false;
    this.maybeSeen = facts.maybeSeen ?? true;
  }
}

const WITHOUT_ADDRESS: Naming = { it: 'it', request: 'it', of: '', after: () => '' };

function withAddress({ method = 'GET', url }: AskedWith): Naming {
  if (url === undefined) return WITHOUT_ADDRESS;
  const it = place(url);
  return { it, request: `${method} ${it}`, of: ` of ${it}`, after: (word) => ` ${word} ${method} ${it}` };
}

/** Origin and path, the part of an address that holds no secret. */
function place(url: URL): string {
  const path = url.pathname.length > 120 ? `${url.pathname.slice(0, 120)}…` : url.pathname;
  return `${url.origin}${path}`;
}

const TRANSIENT: ReadonlySet<ProviderErrorCode> = new Set(['rate_limited', 'timeout', 'unreachable', 'server_error']);

/** Whether the same request may succeed a little later. */
export function isTransient(error: ProviderError): boolean {
  return TRANSIENT.has(error.code);
}
