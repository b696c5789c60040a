/** Vendors whose pages the embedded provider can imitate. */
import type { VendorTypeName } from '../../pages/types.ts';
import { createHtmlReply, createReply, renderWebPage, type RawReply } from '../simulated-reply.ts';
import { aws, feed, googleCloud } from './clouds.ts';
import { betterstack, instatus, slack, statuscast, statusio } from './others.ts';
import { statuspage } from './statuspage.ts';
import type { VendorPages } from './vendor-world.ts';

export interface VendorStandIn {
  pages: VendorPages;
  /** Path of the page below its address. */
  path: string;
  /** True if answers carry an ETag and If-None-Match is honoured. */
  validators?: true;
  /** Response to unknown paths; default: an HTML page with 404. */
  elsewhere?: () => RawReply;
}

export const VENDORS: Readonly<Record<VendorTypeName, VendorStandIn>> = {
  statuspage: { pages: statuspage, path: '', validators: true, elsewhere: () => createReply(404, '', {}) },
  instatus: { pages: instatus, path: '' },
  betterstack: { pages: betterstack, path: '', elsewhere: () => createHtmlReply(200, renderWebPage('Status')) },
  statusio: { pages: statusio, path: '/1.0/status/533c6539221ae15e3f000031' },
  statuscast: { pages: statuscast, path: '' },
  slack: { pages: slack, path: '' },
  'google-cloud': { pages: googleCloud, path: '' },
  aws: { pages: aws, path: '/public/currentevents' },
  feed: { pages: feed, path: '/history.atom' },
};
