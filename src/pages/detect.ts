/**
 * Which type of page an address is: one type after the other is asked as it would be read, and the first whose form the
 * answer has is the one. Types of a single vendor are tried at its own address only, and on this machine, where any may
 * be stood in for.
 */
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
  /** `a Statuspage`, as people call it. */
  called: string;
  /** As it is to be written in the configuration. */
  address: string;
  /** The path that answered in its form. */
  by: string;
  /** What the page calls itself; null where it does not say. */
  name: string | null;
  state: string | null;
  components: readonly Component[];
  /** Which page it is, where one document has all. */
  document: DocumentObservation | null;
  /** The system whose page has no other form than this feed; null for any other. */
  system: KnownSystem | null;
  /** What its rows are of, of which one has to choose; null where all may count. */
  choice: { of: string; rows: number; places: readonly string[] } | null;
}

/** By type: why it is none. */
export interface Undetected {
  kind: 'undetected';
  /** Where the address leads, without the slash at its end. */
  address: string;
  tried: readonly TriedType[];
  /** Whose system it looks like; null where nothing tells. */
  system: KnownSystem | null;
}

/** Nobody answers there. */
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

/** Where most systems keep the feed of a page: Atom before RSS, which has no ids of its own. */
const USUAL_FEEDS = ['/history.atom', '/history.rss', '/feed.atom', '/feed.rss'];

/** A host that does not answer one question will not answer the next. */
const SILENT: readonly string[] = ['unreachable', 'timeout', 'cancelled', 'rate_limited', 'server_error'];

/** Asks the address as it would be read, type by type. `types`: those to try, in their order. */
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
 * The same for an address as a person has it: of a page that has moved, of one below the page, or of a web page that
 * names its feed. `known`: the type it is thought to be.
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
  // Such as `/history` or `/incidents/ID`: pages mostly live at the root of their host.
  const root = new URL('/', place);
  if (toBase(new URL(place)).pathname !== '/') {
    const atRoot = await detectPage(bare(root), options, signal, typesAt(root));
    if (atRoot.kind === 'detected') return atRoot;
  }
  const usual = USUAL_FEEDS.map((path) => new URL(path, root));
  const guessed = front.feedOfSystem === null ? usual : [front.feedOfSystem, ...usual];
  return (await detectFeed(guessed, front, options, signal)) ?? { ...found, system: front.system };
}

/** The first of these that is a feed; null where none is. */
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

/** What has an address of its own is that; everything else may be anything that lives anywhere. */
function typesAt(url: URL): TypeName[] {
  const own = PAGE_TYPE_NAMES.filter((type) => OWN_PLACE[type]?.(url) === true);
  const anywhere = PAGE_TYPE_NAMES.filter((type) => OWN_PLACE[type] === undefined);
  if (!isLoopback(url.hostname)) return own.length > 0 ? own : anywhere;
  // The interface of Status.io is at another host, unless the address is one of the interface.
  const others = PAGE_TYPE_NAMES.filter(
    (type) => !own.includes(type) && !anywhere.includes(type) && type !== 'statusio',
  );
  return [...own, ...anywhere, ...others];
}

/** What the address may be besides this. */
export function listOtherTypes(address: string, type: TypeName): TypeName[] {
  return typesAt(new URL(address)).filter((each) => each !== type);
}

type Recognised = Omit<Detected, 'by'>;
type Missed = { kind: 'missed'; code: string; why: string };

async function tryType(
  type: TypeName,
  address: string,
  options: AskingOptions,
  signal: AbortSignal,
): Promise<Detected | Missed> {
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
): Promise<Recognised | Missed> {
  const given = { ...options, baseUrl: address };
  if (type === 'provider') {
    // What follows `/api` is no part of the address of the provider's page.
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

/** Without a slash at its end, and without a query. */
function bare(url: URL): string {
  return trimEndSlashes(`${url.origin}${url.pathname}`);
}

async function readAs(
  reader: PageReader,
  signal: AbortSignal,
  about: Pick<Detected, 'type' | 'called' | 'address'>,
): Promise<Recognised | Missed> {
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
