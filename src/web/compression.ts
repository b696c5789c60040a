/**
 * Compressed responses: pages, style, script and JSON. The length of a compressed response tells an eavesdropper how
 * much of what a request put into it also stands elsewhere in it (BREACH). No page holds a token or a session; and what
 * another site asks for with words of its own in the address is sent as it is.
 */
import { accepts } from 'hono/accepts';
import { constants, createGzip } from 'node:zlib';
import { Duplex } from 'node:stream';
import type { WebRequest } from './responses.ts';

const COMPRESSED = /^(text\/(html|css|javascript)|application\/json)\b/;

/** Replaces the response; the pieces of a page that is sent as it is made leave one by one. */
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

/** Browsers say so wherever a connection is encrypted; elsewhere there is nothing to find out by lengths. */
function mayBeProbed(c: WebRequest): boolean {
  const from = c.req.header('sec-fetch-site');
  return (from === 'cross-site' || from === 'same-site') && new URL(c.req.url).search !== '';
}
