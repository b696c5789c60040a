/**
 * Failures of the provider's interfaces. `message` has operation and address, `sentence` only the address, and `reason`
 * neither, for readers who see source and part elsewhere. None contains a key, a header, or debug output of the
 * provider.
 */

export const PROVIDER_ERROR_CODES = [
  /** 401, 403, or a redirect to a login page. */
  'credentials',
  /** 404 or 410; `status` says which. */
  'not_found',
  /** The provider refused the request; its text is in the message. */
  'refused',
  /** Invalid input: found before sending, or a 422 of the provider with messages in `fields`. */
  'validation',
  /** 429; `retryAfterMs` if the provider gave a time. */
  'rate_limited',
  'timeout',
  /** No response: name not found, connection refused or reset, TLS. */
  'unreachable',
  /** 5xx. */
  'server_error',
  /** The response violates the specification. */
  'contract_broken',
  /** Served from a cache, and older than an earlier response. */
  'older_document',
  'too_large',
  /** A link or redirect to another origin. */
  'foreign_link',
  /** Cancelled by us, at shutdown. */
  'cancelled',
] as const;

export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number];

/** Operation id such as `notices.list`, and the address if there is one. */
interface AskedWith {
  operation: string;
  method?: string | undefined;
  url?: URL | undefined;
}

/** Phrases for the requested address. */
export interface Naming {
  /** `https://…`, or `it`. */
  it: string;
  /** `GET https://…`, or `it`. */
  request: string;
  /** ` of https://…`, or empty. */
  of: string;
  /** With a preposition: ` by GET https://…`, or empty. */
  after(word: 'at' | 'by' | 'from'): string;
}

export interface ProviderErrorFacts {
  status?: number | null;
  retryAfterMs?: number | null;
  /** Errors by field of the input. */
  fields?: Readonly<Record<string, readonly string[]>> | null;
  /** Other fields mentioned in `fields`. */
  named?: readonly string[];
  /** The body is JSON or empty: the interface itself answered, not a web server in front of it. */
  inForm?: boolean;
  /** False only if the provider certainly received nothing. */
  maybeSeen?: boolean;
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderErrorCode;
  readonly operation: string;
  /** The message without the operation. */
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

/** Origin and path, the parts of a URL that hold no secret. */
function place(url: URL): string {
  const path = url.pathname.length > 120 ? `${url.pathname.slice(0, 120)}…` : url.pathname;
  return `${url.origin}${path}`;
}

const TRANSIENT = ['rate_limited', 'timeout', 'unreachable', 'server_error'] satisfies ProviderErrorCode[];

/** True if a retry may succeed. */
export function isTransient({ code }: { code: string }): boolean {
  return (TRANSIENT as string[]).includes(code);
}
