/** The types of status pages: a folder and a line each. Only those that are configured are loaded. */
import type { PageType } from './vendor-page.ts';

const VENDOR_TYPES = {
  statuspage: async () => (await import('./statuspage/reader.ts')).statuspage,
  instatus: async () => (await import('./instatus/reader.ts')).instatus,
} as const satisfies Readonly<Record<string, () => Promise<PageType>>>;

export type VendorTypeName = keyof typeof VENDOR_TYPES;

const VENDOR_TYPE_NAMES = Object.keys(VENDOR_TYPES) as VendorTypeName[];
/** As `type` names them in the configuration. */
export const PAGE_TYPE_NAMES: readonly ['provider', ...VendorTypeName[]] = ['provider', ...VENDOR_TYPE_NAMES];

export function loadPageType(name: VendorTypeName): Promise<PageType> {
  return VENDOR_TYPES[name]();
}
