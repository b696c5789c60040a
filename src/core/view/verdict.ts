/**
 * The one verdict over everything: what is so, the worst first, and how bad it is. Page, title, favicon, badge and wall
 * say the same. What is not known is never called well.
 */
import { capital, listed, oneLine, plural } from '../text/plain.ts';
import type { Severity } from '../transition/kind.ts';
import { speakerIn } from '../wording/speaker.ts';
import { isLate, type OpenAlert, type Picture, type SourceView } from './picture.ts';

/** How something stands: critical, warning, not known, planned work under way, well. */
export const TONES = ['crit', 'warn', 'unk', 'work', 'ok'] as const;
export type VerdictTone = (typeof TONES)[number];

export interface Verdict {
  tone: VerdictTone;
  headline: string;
  /** What the headline is about; null where nothing is open. */
  lead: OpenAlert | null;
  /** What else is open, the worst first. */
  others: OpenAlert[];
  /** Sources of which it is not known how they are. */
  unknown: SourceView[];
  /** For a window's title: "3 open: Acme 40 phones offline". */
  title: string;
}

export interface PhoneTally {
  registered: number;
  offline: number;
  unknown: number;
  accounts: number;
}

/** As many as are named. */
const NAMED = 3;

/** What is open and critical or a warning comes before what is not known; that comes before planned work. */
export function verdictOf(picture: Picture): Verdict {
  const [lead = null, ...others] = begun(picture);
  const unknown = picture.sources.filter(isUnknownSource);
  const tone = worstTone([lead === null ? 'ok' : toneOf(lead.severity), unknown.length > 0 ? 'unk' : 'ok']);
  const notKnown = `Not known how ${listed(
    unknown.map(({ called }) => oneLine(called)),
    NAMED,
  )} ${unknown.length === 1 ? 'is' : 'are'}`;
  const isUnknownFirst = tone === 'unk';
  const headline = isUnknownFirst ? notKnown : lead === null ? 'All is well' : oneLine(lead.title) || 'Without a title';
  const count = others.length + (lead === null ? 0 : 1);
  return {
    tone,
    headline,
    lead: isUnknownFirst ? null : lead,
    others: isUnknownFirst && lead !== null ? [lead, ...others] : others,
    unknown,
    title: count === 0 ? headline : `${count} open: ${headline}`,
  };
}

/** What whoever sees it first should do; null where nothing can be said. */
export function todoOf({ sources }: Pick<Picture, 'sources'>, lead: OpenAlert): string | null {
  const { acknowledged, severity, said, parts } = lead;
  const concerned = sources.filter(({ name }) => lead.sources.includes(name));
  if (severity === 'info' || concerned.length === 0) return null;
  if (acknowledged !== null) return `Ask ${oneLine(acknowledged.by)} before you do something: it is in hand.`;
  if (concerned.some(isUnknownSource)) {
    return 'Look whether the network and the credentials are in order: nothing is called well until it answers.';
  }
  if (parts.some(({ narrower }) => narrower?.key === 'kind')) {
    return 'Switch it as it should be, or correct its hours in the configuration.';
  }
  const hasPhones = concerned.some(({ type }) => type === 'account');
  if (said.length > 0) {
    const by = speakerIn(sources, lead);
    return hasPhones
      ? `Nothing at your sites: ${by} knows of the fault. Divert the calls that cannot wait.`
      : `Nothing yet: ${by} knows of it, and your phones are watched.`;
  }
  return hasPhones
    ? 'Look first at the power, the router and the internet connection where the phones are; is all well there, call the provider.'
    : 'Nothing yet: no notice explains it, and your phones are watched.';
}

/** What is open and has begun: planned work that is to come is shown as such. */
export function begun({ open }: Pick<Picture, 'open'>): OpenAlert[] {
  return open.filter(({ isToCome }) => !isToCome);
}

export function toneOf(severity: Severity): VerdictTone {
  return severity === 'critical' ? 'crit' : severity === 'warning' ? 'warn' : 'work';
}

/** `ok` for none. */
export function worstTone(tones: readonly VerdictTone[]): VerdictTone {
  return TONES.find((tone) => tones.includes(tone)) ?? 'ok';
}

/** Nothing is called well of it: it was not read in time, or does not answer. */
export function isUnknownSource(source: SourceView): boolean {
  return isLate(source) || source.unreachable || source.state === null || hasUnreadPhones(source);
}

/** False for a page. */
export function hasUnreadPhones(source: SourceView): boolean {
  return source.type === 'account' && source.unread.includes('registrations');
}

/** Worse than what is open of it, or not known. */
export function toneOfSource(source: SourceView, open: readonly OpenAlert[]): VerdictTone {
  const concerned = open.filter(({ sources, isToCome }) => !isToCome && sources.includes(source.name));
  const own = concerned.map(({ severity }) => toneOf(severity));
  return worstTone([...own, isUnknownSource(source) ? 'unk' : source.isWell ? 'ok' : 'warn']);
}

/**
 * Phones of an account that cannot be read count as unknown, whatever they were; those of one never read are not
 * counted.
 */
export function tallyPhones({ sources }: Pick<Picture, 'sources'>): PhoneTally {
  const tally: PhoneTally = { registered: 0, offline: 0, unknown: 0, accounts: 0 };
  for (const source of sources) {
    if (source.type !== 'account') continue;
    tally.accounts += 1;
    const { phones } = source;
    if (phones === null) continue;
    if (isUnknownSource(source)) tally.unknown += phones.total;
    else {
      tally.registered += phones.registered;
      tally.offline += phones.total - phones.registered;
    }
  }
  return tally;
}

/** What is well, in one sentence; what is not known is not in it. */
export function wellText(picture: Picture): string | null {
  const known = picture.sources.filter((source) => !isUnknownSource(source));
  const phones = tallyPhones({ sources: known });
  const pages = known.flatMap((source) => (source.type === 'status page' ? [source] : []));
  const components = pages.reduce((sum, { components: { total } }) => sum + total, 0);
  const down = pages.reduce((sum, each) => sum + each.components.notOperational.length, 0);
  const toggles = known.flatMap((source) => (source.type === 'account' ? (source.toggles ?? []) : []));
  const expected = toggles.filter((toggle) => toggle.expected !== null);
  const right = expected.filter(({ status, expected: wanted }) => status === wanted);
  const parts = [
    ...(phones.registered === 0
      ? []
      : [`${of(phones.registered, phones.registered + phones.offline, 'phone')} registered`]),
    ...(components === 0 ? [] : [`${of(components - down, components, 'component')} operational`]),
    ...(expected.length === 0
      ? []
      : [`${of(right.length, expected.length, 'toggle')} as ${expected.length === 1 ? 'it' : 'they'} should be`]),
  ];
  return parts.length === 0 ? null : `${capital(listed(parts))}.`;
}

function of(good: number, total: number, what: string): string {
  if (total === 1) return good === 1 ? `1 ${what}` : `0 of 1 ${what}`;
  return good === total ? `all ${plural(total, what)}` : `${good} of ${plural(total, what)}`;
}
