/**
 * Which type of page an address is: one type after the other is asked as it would be read, and the first whose form the
 * answer has is the one. Types of a single vendor are tried at its own address only.
 */
import { miss } from '../provider/collection.ts';
import { createStatusClient } from '../provider/status-client.ts';
import { openVendorPage, type VendorClientOptions } from './client.ts';
import type { PageReader } from './page-reader.ts';
import { pageReader } from './provider/reader.ts';
import { loadPageType, PAGE_TYPE_NAMES } from './types.ts';

export type TypeName = (typeof PAGE_TYPE_NAMES)[number];

export interface Detected {
  kind: 'detected';
  type: TypeName;
  /** `a Statuspage`, as people call it. */
  called: string;
  /** What the page calls itself; null where it does not say. */
  name: string | null;
  state: string | null;
  components: readonly string[];
}

/** By type: why it is none. */
export interface Undetected {
  kind: 'undetected';
  tried: readonly { type: TypeName; why: string }[];
}

const OWN_HOST: Partial<Record<TypeName, (url: URL) => boolean>> = {
  slack: ({ hostname }) => hostname.includes('slack-status.com'),
  'google-cloud': ({ hostname }) => hostname === 'status.cloud.google.com',
  aws: ({ hostname, pathname }) => hostname === 'health.aws.amazon.com' || pathname.endsWith('/public/currentevents'),
  statusio: ({ pathname }) => /\/(pages|status)\/[0-9a-f]{24}\/?$/.test(pathname),
};

/** `types`: those to try, in their order; default: all that the address may be. */
export async function detectPage(
  address: string,
  options: Omit<VendorClientOptions, 'baseUrl'>,
  signal: AbortSignal,
  types: readonly TypeName[] = candidatesAt(new URL(address)),
): Promise<Detected | Undetected> {
  const tried: { type: TypeName; why: string }[] = [];
  for (const type of types) {
    const found = await tryType(type, { ...options, baseUrl: address }, signal);
    if ('why' in found) tried.push({ type, why: found.why });
    else return found;
    if (signal.aborted) break;
  }
  return { kind: 'undetected', tried };
}

/** What has an address of its own is that; everything else may be anything that lives anywhere. */
function candidatesAt(url: URL): TypeName[] {
  const own = PAGE_TYPE_NAMES.filter((type) => OWN_HOST[type]?.(url) === true);
  return own.length > 0 ? own : PAGE_TYPE_NAMES.filter((type) => OWN_HOST[type] === undefined);
}

async function tryType(
  type: TypeName,
  options: VendorClientOptions,
  signal: AbortSignal,
): Promise<Detected | { why: string }> {
  if (type === 'provider') return await readAs(type, 'the provider’s own interface', providerAt(options), signal);
  const loaded = await loadPageType(type);
  return await readAs(type, loaded.limits.called, openVendorPage(loaded, options), signal);
}

/** What follows `/api` is no part of the address of the provider's page. */
function providerAt(options: VendorClientOptions): PageReader {
  const baseUrl = options.baseUrl.replace(/\/api(\/.*)?$/, '').replace(/[?#].*$/, '');
  return pageReader(createStatusClient({ ...options, baseUrl }));
}

async function readAs(
  type: TypeName,
  called: string,
  reader: PageReader,
  signal: AbortSignal,
): Promise<Detected | { why: string }> {
  const document = await (reader.document?.(signal) ?? Promise.resolve(null));
  if (document?.kind === 'missed') return { why: document.why };
  const page = await reader.page(signal);
  if (page.kind === 'missed' && document === null) return { why: page.why };
  const components = await reader.components(signal).catch(() => miss('unread', 'not read'));
  return {
    kind: 'detected',
    type,
    called,
    name: document?.value.name ?? (page.kind === 'observed' ? page.value.name : null),
    state: page.kind === 'observed' ? page.value.state : null,
    components: components.kind === 'missed' ? [] : components.items.map(({ name }) => name),
  };
}
