/** Responses of operations: as documented in the catalogue, or deliberately different. */
import type { InputOf, Operation, ResultOf } from '../provider/operation.ts';

const REPLY = Symbol('reply');

/** A response outside the documented shape: an error, a file, or a known deviation of the real interface. */
export interface RawReply {
  readonly kind: typeof REPLY;
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sent unchanged, without validation or content type. */
export function createReply(
  status: number,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): RawReply {
  return { kind: REPLY, status, body, headers };
}

export function isReply(value: unknown): value is RawReply {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === REPLY;
}

export function createJsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): RawReply {
  return createReply(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

export function createHtmlReply(status: number, body: string): RawReply {
  return createReply(status, body, { 'content-type': 'text/html; charset=utf-8' });
}

/** Circumstances of a request besides its input. */
export interface ApiCall {
  url: URL;
  /** The bearer token; null without one. */
  token: string | null;
  /** Simulates a stale cache: answer with the version this many changes ago. */
  versionsAgo: number;
  ignoreFilters: boolean;
}

/** One answer per operation. A missing operation, misspelt parameter or wrong result does not compile. */
export type Answers<Rows extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Rows]: (input: InputOf<Rows[Id]>, call: ApiCall) => ResultOf<Rows[Id]> | RawReply;
};

/** The untyped form, for routes that walk the catalogue as data. */
export type AnyAnswer = (input: Record<string, unknown>, call: ApiCall) => unknown;

/**
 * An HTML page as web servers send it. The real interface answers unknown paths with 35 kB of it; a client that parses,
 * logs or quotes it exposes its weakness.
 */
export function renderWebPage(title: string): string {
  const style = Array.from(
    { length: 650 },
    (_, row) =>
      `.c-${row} { margin: ${row % 7}px; padding: ${row % 11}px; color: #${(row * 4097).toString(16).padStart(6, '0')}; }`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<style>
${style.join('\n')}
</style></head>
<body><main><h1>${title}</h1><p>The page you were looking for does not exist or has moved.</p></main></body>
</html>
`;
}
