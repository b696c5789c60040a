/**
 * Requests another vendor's page politely: rarely, one request at a time, conditional if supported, with a contact in
 * the user agent, and never during a requested pause.
 */
import { MINUTE } from '../core/text/duration.ts';
import { formatCount, trimEndSlashes } from '../core/text/plain.ts';
import { ProviderError } from '../provider/errors.ts';
import { createHttp, type HttpOptions } from '../provider/http.ts';
import type { Limiter } from '../provider/limiter.ts';
import { createCacheWatch } from './cached-answers.ts';
import type { PageReader } from './page-reader.ts';
import type { AskDocument, PageType } from './vendor-page.ts';
import { createVendorReader } from './vendor-reader.ts';

export interface VendorClientOptions extends HttpOptions {
  /** As entered by a person, with or without `/api/…`. */
  baseUrl: string;
  limiter: Limiter;
}

/** Responses older than an earlier one count as missed, as do all errors of the vendor. */
export function openVendorPage(type: PageType, options: VendorClientOptions): PageReader {
  const { limits, accept } = type;
  const typed = new URL(options.baseUrl);
  const base = type.base?.(typed) ?? toBase(typed);
  const http = createHttp({
    base,
    limiter: options.limiter,
    headers: accept === undefined ? {} : { accept },
    secrets: [],
    options: { bodyLimit: limits.answerBytes, obeysAll: true, ...options },
  });
  const now = options.wallClock ?? Date.now;
  const caches = new Map<string, (ageMs: number) => boolean>();
  const ask: AskDocument = async (path, read, { signal, form }) => {
    const url = path === '' ? base : new URL(`${base.origin}${trimEndSlashes(base.pathname)}${path}`);
    const { value, ageMs = 0 } = await http.json({ operation: 'page', url, signal, form }, read);
    const isOlder = caches.get(path) ?? createCacheWatch(now);
    caches.set(path, isOlder);
    if (isOlder(ageMs)) throw olderDocument(url, ageMs);
    return value;
  };
  return createVendorReader(type.open(base, ask, now, typed), http.waitMs);
}

function olderDocument(url: URL, ageMs: number): ProviderError {
  const minutes = formatCount(Math.trunc(ageMs / MINUTE), 'minute');
  const why = `comes from a cache, is ${minutes} old and older than the one before`;
  return new ProviderError('older_document', { operation: 'page', url }, ({ of }) => `the answer${of} ${why}`);
}

const DOCUMENTS: readonly string[] = ['summary.json', 'index.json', 'incidents.json', 'components.json'];

/** Removes parts of an interface's address (`/api/…`, document names), query and fragment. */
export function toBase(typed: URL): URL {
  const url = new URL(typed);
  const parts = url.pathname.split('/');
  const foreign = parts.findLastIndex((part) => !/^[\w.-]*$/.test(part));
  const api = parts.indexOf('api', foreign + 1);
  const isDocument = DOCUMENTS.includes(parts.at(-1) ?? '');
  const document = parts.length - (parts.at(-2) === 'v2' ? 2 : 1);
  const end = api !== -1 ? api : isDocument ? document : parts.length;
  url.pathname = parts.slice(0, end).join('/') || '/';
  url.hash = '';
  return url;
}
