/** Links a reader may follow: http and https only, and never longer than a channel takes. */
import type { AlertView } from '../alert/alert.ts';

export interface Link {
  text: string;
  url: string;
}

/** What a link to the provider's own page is called. */
export const STATUS_PAGE = 'Provider’s status page';

/** Slack refuses a button with a longer address. */
const LONGEST = 3000;

/** The address in its normal form, or null when it must not become a link. */
export function safeUrl(url: string | null): string | null {
  if (url === null || url.length > LONGEST || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return null;
  // User names in an address make `https://bank.example@evil.example` look like what it is not.
  if (parsed.username !== '' || parsed.password !== '') return null;
  return parsed.href.length > LONGEST ? null : parsed.href;
}

export function link(text: string, url: string | null): Link[] {
  const safe = safeUrl(url);
  return safe === null ? [] : [{ text, url: safe }];
}

/** Where Linewatch's own page shows an alert; null for what opens none. */
export function alertUrl(externalUrl: string, alert: AlertView): string | null {
  return alert.number === null ? null : `${externalUrl.replace(/\/+$/, '')}/#alert-${alert.number}`;
}
