/**
 * Detects the type of a page by reading its address as each type in turn. Types of a single vendor are tried only at
 * the vendor's address, and on loopback, where simulators run.
 */
import type { Miss } from '../core/observation/listing.ts';
import type { Component, DocumentObservation } from '../core/page/page-model.ts';
import { trimEndSlashes } from '../core/text/plain.ts';
import { isLoopback } from '../net/hosts.ts';
import { createMiss } from '../provider/collection.ts';
import { createStatusClient } from '../provider/status-client.ts';
import { countRows } from './choice.ts';
import { toBase, openVendorPage } from './vendor-client.ts';
import { readFrontPage, type AskingOptions, type FrontPage } from './front-page.ts';
import type { KnownSystem } from './known-systems.ts';
import type { PageReader } from './page-reader.ts';
import { createPageReader } from './provider/reader.ts';
import { loadPageType, PAGE_TYPE_NAMES } from './types.ts';

export type TypeName = (typeof PAGE_TYPE_NAMES)[number];

export interface Detected {
  kind: 'detected';
  type: TypeName;
  /** With an article: `a Statuspage`. */
  called: string;
  /** In the form for the configuration. */
  address: string;
  /** The path that answered. */
  by: string;
  /** Title of the page; null if it gives none. */
  name: string | null;
  state: string | null;
  components: readonly Component[];
  /** Identity of the page, if a single document has everything. */
  document: DocumentObservation | null;
  /** The system, if this feed is its only readable form; else null. */
  system: KnownSystem | null;
  /** Products or regions to select from; null if no selection is needed. */
  choice: { of: string; rows: number; places: readonly string[] } | null;
}

/** No type matched; `tried` has the reason for each. */
export interface Undetected {
  kind: 'undetected';
  /** Final address after redirects, without trailing slash. */
  address: string;
  tried: readonly TriedType[];
  /** The system it resembles; null if unrecognised. */
  system: KnownSystem | null;
}

/** No server answers. */
export interface Unreached {
  kind: 'unreached';
  why: string;
}

interface TriedType {
  type: TypeName;
  code: string;
  why: string;
}

const OWN_PLACE: Partial<Record<TypeName, (url: URL) => boolean>> = {
  slack: ({ hostname }) => hostname.includes('slack-status.com'),
  'google-cloud': ({ hostname, pathname }) =>
    /^status\.(cloud|firebase)\.google\.com$/.test(hostname) ||
    (hostname === 'www.google.com' && pathname.startsWith('/appsstatus/')),
  aws: ({ hostname, pathname }) => hostname === 'health.aws.amazon.com' || pathname.endsWith('/public/currentevents'),
  statusio: ({ pathname }) => /\/(pages|status)\/[0-9a-f]{24}\/?$/.test(pathname),
};

/** Usual paths of feeds: Atom before RSS, which has no ids. */
const USUAL_FEEDS = ['/history.atom', '/history.rss', '/feed.atom', '/feed.rss'];

/** A host that fails one request like this will fail the next. */
const SILENT: readonly string[] = ['unreachable', 'timeout', 'cancelled', 'rate_limited', 'server_error'];

/** Tries `types` in order. */
export async function detectPage(
  address: string,
  options: AskingOptions,
  signal: AbortSignal,
  types: readonly TypeName[] = typesAt(new URL(address)),
): Promise<Detected | Undetected> {
  const tried: TriedType[] = [];
  for (const type of types) {
    const found = await tryType(type, address, options, signal);
    if (found.kind === 'detected') return found;
    tried.push({ type, code: found.code, why: found.why });
    if (signal.aborted || SILENT.includes(found.code)) break;
  }
  return { kind: 'undetected', address, tried, system: null };
}

/**
 * Accepts an address as people copy it: moved, below the page, or an HTML page that links its feed. `known`: the
 * presumed type.
 */
export async function identifyPage(
  address: string,
  options: AskingOptions,
  signal: AbortSignal,
  known: TypeName | null,
): Promise<Detected | Undetected | Unreached> {
  if (known !== null) {
    const found = await detectPage(address, options, signal, [known]);
    if (found.kind === 'detected') return found;
  }
  const front = await readFrontPage(new URL(address), options, signal);
  if (front.kind === 'missed') return { kind: 'unreached', why: front.why };
  const isElsewhere = front.url.origin !== new URL(address).origin;
  const place = isElsewhere ? bare(front.url) : address;
  if (front.isFeed) return await detectPage(place, options, signal, ['feed', ...typesAt(new URL(place))]);
  const found = await detectPage(place, options, signal, typesAt(new URL(place)));
  if (found.kind === 'detected' || isSilent(found)) return found;
  const byName = await detectFeed(front.feeds, front, options, signal);
  if (byName !== null) return byName;
  // People copy addresses such as `/history` or `/incidents/ID`, while most pages are at the root of their host.
  const root = new URL('/', place);
  if (toBase(new URL(place)).pathname !== '/') {
    const atRoot = await detectPage(bare(root), options, signal, typesAt(root));
    if (atRoot.kind === 'detected') return atRoot;
  }
  const usual = USUAL_FEEDS.map((path) => new URL(path, root));
  const guessed = front.feedOfSystem === null ? usual : [front.feedOfSystem, ...usual];
  return (await detectFeed(guessed, front, options, signal)) ?? { ...found, system: front.system };
}

/** The first that is a feed; null if none is. */
async function detectFeed(
  feeds: readonly URL[],
  { system }: FrontPage,
  options: AskingOptions,
  signal: AbortSignal,
): Promise<Detected | null> {
  for (const { href } of feeds) {
    const found = await detectPage(href, options, signal, ['feed']);
    if (found.kind === 'detected') return { ...found, system };
    if (isSilent(found)) return null;
  }
  return null;
}

function isSilent({ tried }: Undetected): boolean {
  return SILENT.includes(tried.at(-1)?.code ?? '');
}

/** An address specific to a type has that type; any other may have all types without a fixed address. */
function typesAt(url: URL): TypeName[] {
  const own = PAGE_TYPE_NAMES.filter((type) => OWN_PLACE[type]?.(url) === true);
  const anywhere = PAGE_TYPE_NAMES.filter((type) => OWN_PLACE[type] === undefined);
  if (!isLoopback(url.hostname)) return own.length > 0 ? own : anywhere;
  // Status.io's interface is on another host, unless the address is one of the interface.
  const others = PAGE_TYPE_NAMES.filter(
    (type) => !own.includes(type) && !anywhere.includes(type) && type !== 'statusio',
  );
  return [...own, ...anywhere, ...others];
}

/** Other types that the address may have. */
export function listOtherTypes(address: string, type: TypeName): TypeName[] {
  return typesAt(new URL(address)).filter((each) => each !== type);
}

type Recognised = Omit<Detected, 'by'>;

async function tryType(
  type: TypeName,
  address: string,
  options: AskingOptions,
  signal: AbortSignal,
): Promise<Detected | Miss> {
  const answered: string[] = [];
  const onAnswer: AskingOptions['onAnswer'] = (_, { pathname }, answer) => {
    if ('value' in answer) answered.push(pathname);
  };
  const found = await openedAs(type, address, { ...options, onAnswer }, signal);
  return found.kind === 'missed' ? found : { ...found, by: answered[0] ?? '' };
}

async function openedAs(
  type: TypeName,
  address: string,
  options: AskingOptions,
  signal: AbortSignal,
): Promise<Recognised | Miss> {
  const given = { ...options, baseUrl: address };
  if (type === 'provider') {
    // `/api` and below are not part of the provider's base address.
    const baseUrl = bare(toBase(new URL(address)));
    const client = createStatusClient({ ...options, baseUrl, advises: false });
    return await readAs(createPageReader(client), signal, {
      type,
      called: 'the provider’s own interface',
      address: baseUrl,
    });
  }
  const loaded = await loadPageType(type);
  const { called, needsChoice } = loaded.limits;
  const written = loaded.base === undefined ? bare(toBase(new URL(address))) : address;
  const reader = openVendorPage(loaded, given);
  const found = await readAs(reader, signal, { type, called, address: written });
  if (found.kind === 'missed' || needsChoice === undefined) return found;
  return { ...found, choice: { of: needsChoice, ...(await countRows(reader, signal)) } };
}

/** Without trailing slash and query. */
function bare(url: URL): string {
  return trimEndSlashes(`${url.origin}${url.pathname}`);
}

async function readAs(
  reader: PageReader,
  signal: AbortSignal,
  about: Pick<Detected, 'type' | 'called' | 'address'>,
): Promise<Recognised | Miss> {
  const document = await (reader.document?.(signal) ?? Promise.resolve(null));
  if (document?.kind === 'missed') return document;
  const page = await reader.page(signal);
  if (page.kind === 'missed' && document === null) return page;
  const components = await reader.components(signal).catch(() => createMiss('unread', 'not read'));
  return {
    kind: 'detected',
    ...about,
    name: document?.value.name ?? (page.kind === 'observed' ? page.value.name : null),
    state: page.kind === 'observed' ? page.value.state : null,
    components: components.kind === 'missed' ? [] : components.items,
    document: document?.value ?? null,
    system: null,
    choice: null,
  };
}
