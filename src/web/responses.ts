/** Common parts of all responses: headers, kinds of response, and parsing of forms. */
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { raw } from 'hono/html';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Visit } from './access/access.ts';
import type { Viewer } from './access/sign-in-link.ts';
import type { Web } from './web.ts';
import type { Fragment } from './look/icons.ts';
import { markRightToLeft } from './look/isolation.ts';
import type { TextPieces } from './data/pieces.ts';

/** Environment of the app: the request as Node.js has it. */
export interface Env {
  Bindings: {
    incoming?: { httpVersion: string; socket: { remoteAddress?: string | undefined } };
    outgoing?: ServerResponse;
  };
  /** `web`: limited to the viewer's access. */
  Variables: { viewer: Viewer; web: Web };
}

export type WebRequest = Context<Env>;

/** Bytes; the longest form has a comment of 1,000 characters. */
const LONGEST_FORM = 16_384;

/** No resource of another host, no script in shown content, and no framing. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY };

export const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Under no-referrer, a form's Origin header would be "null".
  'referrer-policy': 'same-origin',
};

export function toVisit(c: WebRequest): Visit {
  const { httpVersion, socket } = c.env.incoming ?? {};
  return { peer: socket?.remoteAddress, httpVersion, headers: c.req.header() };
}

type RefusalStatus = 401 | 403 | 404 | 405 | 413 | 421 | 422 | 500 | 503;

/** Text with a line end. */
export function sendPlain(
  c: WebRequest,
  status: RefusalStatus,
  text: string,
  headers: Record<string, string> = {},
): Response {
  return c.text(`${text}\n`, status, headers);
}

/** The text of a page as it is sent. */
export function finishPage(text: string, redact: (text: string) => string): string {
  return markRightToLeft(redact(text));
}

/** A page, with secrets redacted. */
export async function show(
  c: WebRequest,
  page: Fragment,
  redact: (text: string) => string,
  status: 200 | 404 | 422 | 503 = 200,
): Promise<Response> {
  return c.body(finishPage(String(await page), redact), status, HTML);
}

/** A client that has gone, in the middle of its form or of the answer, is no failure of Linewatch. */
export function reportFailure(c: WebRequest, error: unknown, { failed }: Pick<Web, 'failed'>): void {
  if (c.env.outgoing?.destroyed !== true) failed(`${c.req.method} ${c.req.path}`, error);
}

/** Marks the content of a page that is sent in two pieces. */
const HOLE = '\u0000';

/**
 * Sends everything above the content of a page at once, and the rest when it is ready: the browser starts to render
 * meanwhile.
 */
export async function showWhile(
  c: WebRequest,
  frame: (content: Fragment) => Fragment,
  content: () => Promise<Fragment>,
  web: Pick<Web, 'redact' | 'failed'>,
): Promise<Response> {
  const [above = '', below = ''] = String(await frame(raw(HOLE))).split(HOLE);
  const rest = async (): Promise<string> => {
    // Sends the piece before the next one is generated.
    await setImmediate();
    return String(await content()) + below;
  };
  const pieces = [
    (): Promise<string> => Promise.resolve(above),
    (): Promise<string> =>
      makeWhileConnected(c, rest).catch((error: unknown) => {
        reportFailure(c, error, web);
        return `<p class="page">Linewatch could not answer; its log says why.</p>${below}`;
      }),
  ];
  const encoder = new TextEncoder();
  // Each piece is generated when the previous one was read, so none for a client that has gone.
  const body = new ReadableStream(
    {
      async pull(stream) {
        const piece = await pieces.shift()?.();
        if (piece === undefined) stream.close();
        else stream.enqueue(encoder.encode(finishPage(piece, web.redact)));
      },
    },
    { highWaterMark: 0 },
  );
  // Without the header, the server reads two pieces ahead before it sends one. HTTP/1.0 does not know it.
  const sentAtOnce = c.env.incoming?.httpVersion === '1.1' ? { 'transfer-encoding': 'chunked' } : {};
  return c.body(body, 200, { ...HTML, ...sentAtOnce });
}

/**
 * A download for programs and spreadsheets: each piece is generated, with secrets redacted, when the previous one was
 * read.
 */
export function sendDownload(
  c: WebRequest,
  pieces: TextPieces,
  headers: Record<string, string>,
  web: Pick<Web, 'redact' | 'failed'>,
): Response {
  const { outgoing } = c.env;
  const encoder = new TextEncoder();
  // Also after a HEAD request, whose body is never read.
  outgoing?.once('close', () => void pieces.close());
  const body = new ReadableStream(
    {
      async pull(stream) {
        try {
          const piece = await pieces.next();
          if (piece !== null) return stream.enqueue(encoder.encode(web.redact(piece)));
        } catch (error) {
          reportFailure(c, error, web);
          // The client detects that the end is missing.
          outgoing?.destroy();
        }
        stream.close();
      },
      cancel: () => pieces.close(),
    },
    { highWaterMark: 0 },
  );
  return c.body(body, 200, headers);
}

/** Waiting for a running computation must not count as idle, so that the connection stays open. */
export async function makeWhileConnected<T>(c: WebRequest, make: () => Promise<T>): Promise<T> {
  const socket = c.env.outgoing?.socket;
  const limit = socket?.timeout ?? 0;
  socket?.setTimeout(0);
  try {
    return await make();
  } finally {
    socket?.setTimeout(limit);
  }
}

/** Text, or JSON if the client accepts it. */
export function sendAnswer(c: WebRequest, status: 200 | 503, json: Record<string, unknown>, text: string): Response {
  const type = accepts(c, { header: 'Accept', supports: ['text/plain', 'application/json'], default: 'text/plain' });
  c.header('vary', 'Accept');
  return type === 'application/json' ? c.json(json, status) : c.text(`${text}\n`, status);
}

/** Null if it is too large: then the rest is not read. */
export async function readForm(c: WebRequest): Promise<URLSearchParams | null> {
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for await (const piece of c.req.raw.body ?? []) {
    size += piece.byteLength;
    if (size > LONGEST_FORM) return null;
    text += decoder.decode(piece, { stream: true });
  }
  return new URLSearchParams(text + decoder.decode());
}

export function sendTooLarge(c: WebRequest): Response {
  return sendPlain(c, 413, `A form may have ${LONGEST_FORM} bytes.`);
}
