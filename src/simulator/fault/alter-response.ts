/** Faults in the response: a replacement, or a modified body. */
import { isObject } from '../../core/text/plain-object.ts';
import { gzipSync } from 'node:zlib';
import { renderWebPage } from '../simulated-reply.ts';
import type { Fault } from './fault.ts';

/** A response before it is sent. `body` is null if the status forbids one. */
export interface FaultyAnswer {
  status: number;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
}

interface Asked {
  url: URL;
  now: number;
}

const TEN_MEGABYTES = 10 * 1024 * 1024;
const JSON_TYPE = 'application/json';

function answer(status: number, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): FaultyAnswer {
  return { status, headers: new Headers(headers), body: typeof body === 'string' ? encode(body) : body };
}

/** Applies one fault. Faults of timing and connection leave the response unchanged. */
export function alterResponse(before: FaultyAnswer, fault: Fault, asked: Asked): FaultyAnswer {
  switch (fault.kind) {
    case 'status': {
      const { body, content_type: type = JSON_TYPE } = fault;
      const text = type !== JSON_TYPE && typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
      return answer(fault.status, text, text === '' ? {} : { 'content-type': type });
    }
    case 'rate_limited':
      return answer(429, '{"message":"Too Many Attempts."}', {
        'content-type': JSON_TYPE,
        ...retryAfter(fault, asked),
      });
    case 'redirect':
      return answer(302, '', {
        location: fault.location ?? new URL('/login', asked.url).href,
        'content-type': 'text/html',
      });
    case 'html':
      return answer(fault.status ?? 200, renderWebPage('Please wait'), { 'content-type': 'text/html; charset=utf-8' });
    case 'empty':
      return answer(200, '', { 'content-type': JSON_TYPE });
    case 'json_string':
      return answer(200, JSON.stringify(fault.text ?? 'Service temporarily unavailable'), {
        'content-type': JSON_TYPE,
      });
    case 'content_type':
      return withHeaders(before, { 'content-type': fault.type });
    case 'charset':
      return {
        ...withHeaders(before, { 'content-type': `${JSON_TYPE}; charset=iso-8859-1` }),
        body: new Uint8Array(Buffer.from(decode(before.body), 'latin1')),
      };
    case 'bom':
      return { ...before, body: encode(`\uFEFF${decode(before.body)}`) };
    case 'duplicate_keys':
      return { ...before, body: encode(withDuplicateKeys(decode(before.body))) };
    case 'gzip_bomb': {
      const blanks = Buffer.alloc(fault.bytes ?? 5 * TEN_MEGABYTES, ' ');
      return {
        ...withHeaders(before, { 'content-encoding': 'gzip' }),
        body: new Uint8Array(gzipSync(Buffer.concat([before.body, blanks]))),
      };
    }
    case 'big_body': {
      const blanks = Buffer.alloc(Math.max(0, (fault.bytes ?? TEN_MEGABYTES) - before.body.length), ' ');
      return { ...before, body: new Uint8Array(Buffer.concat([before.body, blanks])) };
    }
    case 'meta':
      return rewriteBody(before, (body) => withMeta(body, (meta) => shiftCounts(meta, fault)));
    case 'next_page':
      return rewriteBody(before, (body) =>
        withMeta(body, (meta) => ({ ...meta, next_page: nextPage(fault.to, asked.url) })),
      );
    case 'duplicate_rows':
      return rewriteBody(before, (body) => withRows(body, (rows) => rows.slice(0, 1).concat(rows)));
    case 'junk_rows':
      return rewriteBody(before, (body) => withRows(body, (rows) => [null, 7, 'junk', ...rows, {}, []]));
    case 'transform':
      return rewriteBody(before, fault.body);
    case 'stale':
    case 'ignore_filters':
    case 'delay':
    case 'drip':
    case 'truncate':
    case 'reset':
    case 'hang':
      return before;
    default:
      return fault satisfies never;
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'utf8'));
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

function withHeaders(before: FaultyAnswer, added: Record<string, string>): FaultyAnswer {
  const headers = new Headers(before.headers);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return { ...before, headers };
}

function retryAfter(
  fault: { retry_after?: number | undefined; retry_after_date?: number | undefined },
  asked: Asked,
): Record<string, string> {
  if (fault.retry_after !== undefined) return { 'retry-after': String(fault.retry_after) };
  if (fault.retry_after_date === undefined) return {};
  return { 'retry-after': new Date(asked.now + fault.retry_after_date * 1000).toUTCString() };
}

/** Modifies the parsed body of a successful JSON response; others stay unchanged. */
function rewriteBody(before: FaultyAnswer, rewrite: (body: unknown) => unknown): FaultyAnswer {
  if (before.status !== 200 || !(before.headers.get('content-type') ?? '').includes('json')) return before;
  const body = parseBody(before.body);
  return body === undefined ? before : { ...before, body: encode(JSON.stringify(rewrite(body))) };
}

/** Undefined if an earlier fault made the body unreadable. */
function parseBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decode(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

function withMeta(body: unknown, change: (meta: Record<string, unknown>) => Record<string, unknown>): unknown {
  return isObject(body) && isObject(body['meta']) ? { ...body, meta: change(body['meta']) } : body;
}

function shiftCounts(
  meta: Record<string, unknown>,
  by: { count?: number | undefined; total_count?: number | undefined },
): Record<string, unknown> {
  return {
    ...meta,
    count: Number(meta['count']) + (by.count ?? 0),
    total_count: Number(meta['total_count']) + (by.total_count ?? 0),
  };
}

function nextPage(to: string, url: URL): string {
  if (to === 'loop') return url.pathname + url.search;
  if (to !== 'endless') return to;
  const page = Number(url.searchParams.get('page') ?? '1');
  return `${url.pathname}?page=${page + 1}`;
}

/** Changes the rows of a listing: the body itself, or the only array among its values. */
function withRows(body: unknown, change: (rows: unknown[]) => unknown[]): unknown {
  if (Array.isArray(body)) return change(body);
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, Array.isArray(value) ? change(value) : value]),
  );
}

function withDuplicateKeys(text: string): string {
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) return text;
  const pairs = Object.entries(body).flatMap(([key, value]) => [
    `${JSON.stringify(key)}:null`,
    `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  ]);
  return `{${pairs.join(',')}}`;
}
