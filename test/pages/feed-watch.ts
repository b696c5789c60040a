/** Feeds in RSS, and a watch over one. */
import { MINUTE, NOON, vendorWatch, type VendorWatch } from './vendor-watch.ts';

export const HOUR = 60 * MINUTE;
export const SITE = 'https://status.carrier.example';

export interface Entry {
  id?: string;
  title: string;
  link?: string;
  at?: number;
  text: string;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export function rss(
  entries: readonly Entry[],
  { made = '', link = SITE }: { made?: string; link?: string } = {},
): string {
  const items = entries.map(
    ({ title, text, id, at = NOON, link: own = `${SITE}/incidents/${title.replace(' ', '-')}` }) =>
      `<item><title>${escaped(title)}</title><link>${own}</link>${id === undefined ? '' : `<guid>${id}</guid>`}
      <pubDate>${new Date(at).toUTCString()}</pubDate><description>${escaped(text)}</description></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Carrier</title><link>${link}</link>${made}${items.join('')}</channel></rss>`;
}

/** As Statuspage writes an update; `when`: `Mar 2, 12:00 UTC`. */
export function paragraph(when: string, word: string, text: string): string {
  const [month, day = '', time, zone] = when.split(' ');
  const date = `${month} <var data-var='date'>${day.replace(',', '')}</var>, <var data-var='time'>${time}</var> ${zone}`;
  return `<p><small>${date}</small><br /><strong>${word}</strong> - ${text}</p>`;
}

export interface FeedWatch {
  page: VendorWatch;
  /** From the next look on. */
  show(body: string): void;
  /** Looks, and says what was told of notices. */
  news(): Promise<string[]>;
}

/** A watch that has seen a feed with one old entry. */
export async function watchFeed(): Promise<FeedWatch> {
  let body = rss([{ id: 'old', title: 'Long ago', at: NOON - 48 * HOUR, text: '<b>Resolved</b>' }]);
  const page = await vendorWatch('feed', () => ({ body, type: 'application/rss+xml' }));
  await page.look();
  page.news();
  return {
    page,
    show: (next) => void (body = next),
    async news() {
      const told = page.watch.transitions.length;
      await page.look();
      return page.watch.transitions
        .slice(told)
        .map(({ kind, to }) => (typeof to === 'string' ? `${kind} ${to}` : kind));
    },
  };
}
