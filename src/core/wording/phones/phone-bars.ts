/** Text bars of a mass loss, one for each site, or for each customer if there are several. */
import type { Message } from '../../outbox/message.ts';
import { formatSitePlace } from '../../alert/account-titles.ts';
import type { PhonesDetails, SiteCount } from '../../transition/details.ts';
import { toOneLine, formatCount, formatCountOf } from '../../text/plain.ts';
import { CUSTOMERS_LISTED, collectCustomers } from './many-customers.ts';
import { isMerge } from './merged-losses.ts';
import type { Bar, List, Setting } from '../wording.ts';

const MOST_BARS = 12;
const CELLS = 10;
const SIGNS = { registered: '█', offline: '░', away: '·' } as const;

/** Bars of the account's latest count; empty if no phone is offline. */
export function drawPhoneBars(message: Pick<Message, 'changes' | 'seen'>, setting: Pick<Setting, 'customer'>): List[] {
  if (isMerge(message)) return [];
  const many = collectCustomers(message.seen?.shared ?? null, setting);
  if (many !== null) {
    const hit = many.customers.filter(({ down }) => down > 0);
    const bars = hit.map(({ name, total, down }) => createBar(name, { total, down }));
    return drawBars(many.noun, bars, CUSTOMERS_LISTED);
  }
  const latest = new Map<string, PhonesDetails>();
  for (const { transition } of message.changes) {
    const { source, details } = transition;
    if ('domain' in details && !isToldElsewhere(details)) latest.set(source, details);
  }
  const [only] = latest.values();
  return drawBars('site', only === undefined || latest.size > 1 ? [] : createBars(only), MOST_BARS);
}

/** The worst first, and the number of the others; empty if no phone is offline. */
function drawBars(by: string, bars: readonly Bar[], most: number): List[] {
  if (bars.every(({ offline }) => offline === 0)) return [];
  const sorted = bars.toSorted((one, other) => other.offline - one.offline);
  const shown = sorted.slice(0, most);
  const away = shown.some((bar) => bar.away > 0) ? `, ${SIGNS.away} logged off as usual` : '';
  return [
    {
      label: `Phones by ${by} (${SIGNS.registered} registered, ${SIGNS.offline} offline${away})`,
      items: shown.map((bar) => `${drawBar(bar)} ${bar.label}: ${bar.text}`),
      ...(sorted.length > shown.length && { unlisted: sorted.length - shown.length }),
      inline: false,
      places: sorted.length,
      bars: shown,
    },
  ];
}

/** The loss was merged into another alert. */
function isToldElsewhere(details: PhonesDetails): boolean {
  return 'goes_on_in' in details && details.goes_on_in !== undefined;
}

function createBars(details: PhonesDetails): Bar[] {
  const { by_site: bySite = [], domain, total, down, away } = details;
  if (bySite.length > 1) return bySite.map((count) => createBar(toOneLine(count.site), count));
  const [only] = bySite;
  const place = domain.kind === 'site' ? domain.name : formatSitePlace(details) || (only?.site ?? '');
  const label = toOneLine(place) || 'All sites';
  return [createBar(label, { total, down, away: away?.count ?? 0 })];
}

function createBar(label: string, { total, down, away = 0 }: Omit<SiteCount, 'site'>): Bar {
  const text =
    down === 0 ? `all ${formatCount(total, 'phone')} registered` : `${formatCountOf(down, total, 'phone')} offline`;
  const idle = away === 0 ? '' : `, ${away} logged off as usual`;
  return { label, registered: total - down, offline: down, away, text: `${text}${idle}` };
}

/** Every part above zero has at least one cell. */
function drawBar({ registered, offline, away }: Bar): string {
  const all = Math.max(1, registered + offline + away);
  const cells = (count: number): number => (count === 0 ? 0 : Math.max(1, Math.round((count / all) * CELLS)));
  const least = (count: number): number => (count > 0 ? 1 : 0);
  const idle = Math.min(cells(away), CELLS - least(offline) - least(registered));
  const gone = Math.min(cells(offline), CELLS - idle - least(registered));
  return SIGNS.registered.repeat(CELLS - gone - idle) + SIGNS.offline.repeat(gone) + SIGNS.away.repeat(idle);
}
