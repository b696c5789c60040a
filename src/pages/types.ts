/** Types of status pages, one folder each. Only configured types are loaded. */
import type { PageType } from './vendor-page.ts';

const VENDOR_TYPES = {
  statuspage: async () => (await import('./statuspage/reader.ts')).statuspage,
  instatus: async () => (await import('./instatus/reader.ts')).instatus,
  betterstack: async () => (await import('./betterstack/reader.ts')).betterstack,
  statusio: async () => (await import('./statusio/reader.ts')).statusio,
  statuscast: async () => (await import('./statuscast/reader.ts')).statuscast,
  slack: async () => (await import('./slack/reader.ts')).slack,
  'google-cloud': async () => (await import('./google-cloud/reader.ts')).googleCloud,
  aws: async () => (await import('./aws/reader.ts')).aws,
  feed: async () => (await import('./feed/reader.ts')).feed,
} as const satisfies Readonly<Record<string, () => Promise<PageType>>>;

export type VendorTypeName = keyof typeof VENDOR_TYPES;

const VENDOR_TYPE_NAMES = Object.keys(VENDOR_TYPES) as VendorTypeName[];
/** Values of `type` in the configuration. */
export const PAGE_TYPE_NAMES: readonly ['provider', ...VendorTypeName[]] = ['provider', ...VENDOR_TYPE_NAMES];

export function loadPageType(name: VendorTypeName): Promise<PageType> {
  return VENDOR_TYPES[name]();
}
