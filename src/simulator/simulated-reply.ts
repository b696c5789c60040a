/** What an operation may answer: what the catalogue documents, or something else on purpose. */
import type { InputOf, Operation, ResultOf } from '../provider/operation.ts';

const REPLY = Symbol('reply');

/** An answer that is not the documented one: an error, a file, or a departure the real interface is known for. */
export interface RawReply {
  readonly kind: typeof REPLY;
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** As it stands: neither checked against the catalogue nor given a type of its own. */
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

/** How a request wants to be understood besides its input. */
export interface ApiCall {
  url: URL;
  /** The credential after `Bearer `, null without one. */
  token: string | null;
  /** A stale cache answers: what was so this many changes ago. */
  versionsAgo: number;
  ignoreFilters: boolean;
}

/**
 * One answer for every operation of a catalogue: a forgotten operation, a misspelt parameter or a wrong
 * result does not compile.
 */
export type Answers<Rows extends Readonly<Record<string, Operation>>> = {
  readonly [Id in keyof Rows]: (input: InputOf<Rows[Id]>, call: ApiCall) => ResultOf<Rows[Id]> | RawReply;
};

/** The same without types for each operation, for the routes, which walk the catalogue as data. */
export type AnyAnswer = (input: Record<string, unknown>, call: ApiCall) => unknown;

/**
 * What a web server says to people: the real interface answers a wrong path with some 35 kB of it, and a
 * client that parses, logs or quotes such a body shows its weakness.
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
