/**
 * Requests an address as a browser does, follows redirects and finds linked feeds. Unlike a sweep, it follows redirects
 * to other hosts, because vendors move pages. No secrets are sent.
 */
import type { Miss } from '../core/observation/listing.ts';
import { readAttribute, findTags } from '../core/text/tags.ts';
import { catchMiss } from '../provider/collection.ts';
import { ProviderError } from '../provider/errors.ts';
import type { HttpOptions } from '../provider/http.ts';
import type { Limiter } from '../provider/limiter.ts';
import { toRefusal } from '../provider/reply.ts';
import { recognizeSystem, type KnownSystem } from './known-systems.ts';
import { createTransport, toMediaType, type Ask, type Reply } from '../provider/transport.ts';

export interface FrontPage {
  kind: 'front';
  /** Final address. */
  url: URL;
  /** The response is itself a feed. */
  isFeed: boolean;
  /** Feeds linked from an HTML page, best first. */
  feeds: readonly URL[];
  /** The recognised system and its feed; null if unknown. */
  system: KnownSystem | null;
  feedOfSystem: URL | null;
}

export interface AskingOptions extends HttpOptions {
  limiter: Limiter;
}

/** Maximum number of redirects: from http to https, to another host, to a language. */
const REDIRECTS = 5;
/** Feeds are linked in the head of a page, at its start. */
const READ_BYTES = 1024 * 1024;
const FEEDS = 2;
/** Longest tag of a link. */
const LONGEST_LINK = 2000;

/** Any status is an answer; a miss means that no server answered. */
export async function readFrontPage(
  address: URL,
  { limiter, ...options }: AskingOptions,
  signal: AbortSignal,
): Promise<FrontPage | Miss> {
  const transport = createTransport({ ...options, bodyLimit: READ_BYTES });
  const headers = { 'user-agent': options.userAgent ?? 'linewatch', accept: 'text/html, */*;q=0.8' };

  const asked = (url: URL): Ask => ({ operation: 'page', method: 'GET', url, headers, signal });

  /** Null if the response is too large. */
  async function ask(): Promise<Reply | null> {
    try {
      return await limiter.run(() => transport.send(asked(url)), { signal });
    } catch (error) {
      if (error instanceof ProviderError && error.code === 'too_large') return null;
      throw error;
    }
  }

  /** Address after the redirects so far. */
  let url = address;

  async function follow(): Promise<FrontPage> {
    for (let hop = 0; hop <= REDIRECTS; hop += 1) {
      const reply = await ask();
      const target = reply === null ? null : redirectOf(reply, url);
      if (reply !== null && reply.status >= 500) {
        throw toRefusal(reply, asked(url), { retryAfterMs: null, secrets: [] });
      }
      if (target === null) return frontPage(url, reply);
      url = target;
    }
    throw new ProviderError('contract_broken', asked(url), ({ it }) => `${it} redirects more than ${REDIRECTS} times`);
  }

  try {
    const found = await catchMiss(follow);
    if (found.kind === 'front' || url.origin === address.origin) return found;
    return { ...found, why: `it leads to ${url.origin}, and from there: ${found.why}` };
  } finally {
    transport.close();
  }
}

function redirectOf({ status, header }: Reply, from: URL): URL | null {
  const location = header('location');
  if (status < 300 || status > 399 || location === undefined) return null;
  const target = URL.parse(location, from);
  const isFollowed = target !== null && /^https?:$/.test(target.protocol) && target.username + target.password === '';
  return isFollowed ? target : null;
}

function frontPage(url: URL, reply: Reply | null): FrontPage {
  if (reply === null) {
    return { kind: 'front', url, isFeed: false, feeds: [], system: recognizeSystem(url, ''), feedOfSystem: null };
  }
  const type = toMediaType(reply.header('content-type'));
  const text = new TextDecoder().decode(reply.body);
  const isFeed =
    reply.status === 200 && !type.includes('html') && /^<(?:rss|feed|rdf:RDF)\b/i.test(rootOf(text.slice(0, 2000)));
  const html = type.includes('html') ? text : '';
  const system = recognizeSystem(url, html);
  return {
    kind: 'front',
    url,
    isFeed,
    feeds: feedsIn(html, url),
    system,
    feedOfSystem: system?.feedOf?.(url, html) ?? null,
  };
}

/** XML from its first element; empty if there is none. */
function rootOf(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith('<?') || rest.startsWith('<!--')) {
    const end = rest.startsWith('<?') ? '?>' : '-->';
    const at = rest.indexOf(end, end.length);
    rest = at === -1 ? '' : rest.slice(at + end.length).trimStart();
  }
  return rest;
}

/** `<link rel="alternate" type="application/atom+xml" href="…">`: Atom before RSS, which has no ids. */
function feedsIn(html: string, page: URL): URL[] {
  const links: string[] = [];
  for (const { name, isEnd, text } of findTags(html)) {
    if (name === 'link' && !isEnd && text.length <= LONGEST_LINK) links.push(text);
  }
  const found = ['atom', 'rss'].flatMap((kind) =>
    links
      .filter((tag) => readAttribute(tag, 'type')?.toLowerCase() === `application/${kind}+xml`)
      .map((tag) => URL.parse(readAttribute(tag, 'href')?.replaceAll('&amp;', '&') ?? '', page)),
  );
  return found
    .filter((url) => url !== null)
    .filter(({ protocol }) => /^https?:$/.test(protocol))
    .slice(0, FEEDS);
}
