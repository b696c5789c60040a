/**
 * Compresses responses: pages, style, script and JSON. The length of a compressed response reveals how much of a
 * request's own text occurs elsewhere in it (BREACH). No page contains a token or a session; and a request of another
 * site with its own text in the address gets an uncompressed response.
 */
import { accepts } from 'hono/accepts';
import { constants, createGzip } from 'node:zlib';
import { Duplex } from 'node:stream';
import type { WebRequest } from './responses.ts';

const COMPRESSED = /^(text\/(html|css|javascript)|application\/json)\b/;

/** Replaces the response; the pieces of a streamed page are sent one by one. */
export function compress(c: WebRequest): void {
  const { headers, body } = c.res;
  if (body === null || c.req.method === 'HEAD' || !COMPRESSED.test(headers.get('content-type') ?? '')) return;
  c.header('vary', 'Accept-Encoding', { append: true });
  const supports = ['gzip', 'identity'];
  const encoding = accepts(c, { header: 'Accept-Encoding', supports, default: 'identity' });
  if (encoding !== 'gzip' || mayBeProbed(c)) return;
  const { readable, writable } = Duplex.toWeb(createGzip({ flush: constants.Z_SYNC_FLUSH }));
  c.res = new Response(body.pipeThrough({ readable, writable }), c.res);
  c.header('content-encoding', 'gzip');
}

/** Browsers send these headers on every encrypted connection; on others lengths reveal nothing new. */
function mayBeProbed(c: WebRequest): boolean {
  const from = c.req.header('sec-fetch-site');
  return (from === 'cross-site' || from === 'same-site') && new URL(c.req.url).search !== '';
}
