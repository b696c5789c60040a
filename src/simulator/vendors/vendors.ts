/** Every vendor whose page the embedded provider can stand in for, and where below its address the page is. */
import { aws, feed, googleCloud } from './clouds.ts';
import { betterstack, instatus, slack, statuscast, statusio } from './others.ts';
import { statuspage } from './statuspage.ts';
import type { VendorPages } from './vendor-world.ts';

export const VENDORS = {
  statuspage: { pages: statuspage, path: '' },
  instatus: { pages: instatus, path: '' },
  betterstack: { pages: betterstack, path: '' },
  statusio: { pages: statusio, path: '/1.0/status/533c6539221ae15e3f000031' },
  statuscast: { pages: statuscast, path: '' },
  slack: { pages: slack, path: '' },
  'google-cloud': { pages: googleCloud, path: '' },
  aws: { pages: aws, path: '' },
  feed: { pages: feed, path: '/history.atom' },
} as const satisfies Readonly<Record<string, { pages: VendorPages; path: string }>>;
