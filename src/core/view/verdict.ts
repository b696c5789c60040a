/**
 * The one verdict over everything: what is so, the worst first, and how bad it is. Page, title, favicon, badge and wall
 * say the same. What is not known is never called well.
 */
import { listed, oneLine } from '../text/plain.ts';
import type { Severity } from '../transition/kind.ts';
import { speakerIn } from '../wording/speaker.ts';
import { isAwaited, isUnknownSource, startingOf, startingText } from './known.ts';
import type { OpenAlert, Picture, SourceView } from './picture.ts';

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
  /** Sources of which it is not known how they are, but for those that are awaited. */
  unknown: SourceView[];
  /** Sources whose first look since the start has not come to its end. */
  awaited: SourceView[];
  /** For a window's title: "3 open: Acme 40 phones offline". */
  title: string;
}

/** As many as are named. */
const NAMED = 3;

/** What is open and critical or a warning comes before what is not known; that comes before planned work. */
export function verdictOf(picture: Picture): Verdict {
  const [lead = null, ...others] = begun(picture);
  const starting = startingOf(picture);
  const awaited = starting === null ? [] : picture.sources.filter(isAwaited);
  const unread = picture.sources.filter(isUnknownSource);
  const unknown = unread.filter((source) => !awaited.includes(source));
  const tone = worstTone([lead === null ? 'ok' : toneOf(lead.severity), unread.length > 0 ? 'unk' : 'ok']);
  const notKnown = `Not known how ${listed(
    unknown.map(({ called }) => oneLine(called)),
    NAMED,
  )} ${unknown.length === 1 ? 'is' : 'are'}`;
  const isUnknownFirst = tone === 'unk';
  const unsure = unknown.length === 0 && starting !== null ? startingText(starting) : notKnown;
  const headline = isUnknownFirst ? unsure : lead === null ? 'All is well' : oneLine(lead.title) || 'Without a title';
  const count = others.length + (lead === null ? 0 : 1);
  return {
    tone,
    headline,
    lead: isUnknownFirst ? null : lead,
    others: isUnknownFirst && lead !== null ? [lead, ...others] : others,
    unknown,
    awaited,
    title: count === 0 ? headline : `${count} open: ${headline}`,
  };
}

/** What whoever sees it first should do; null where nothing can be said. */
export function todoOf({ sources }: Pick<Picture, 'sources'>, lead: OpenAlert): string | null {
  const { acknowledged, severity, said, parts } = lead;
  const concerned = sources.filter(({ name }) => lead.sources.includes(name));
  if (severity === 'info' || concerned.length === 0) return null;
  if (acknowledged !== null) return `Ask ${oneLine(acknowledged.by)} before you do something: it is in hand.`;
  if (concerned.some((source) => isUnknownSource(source) && !isAwaited(source))) {
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

/** Worse than what is open of it, or not known. */
export function toneOfSource(source: SourceView, open: readonly OpenAlert[]): VerdictTone {
  const concerned = open.filter(({ sources, isToCome }) => !isToCome && sources.includes(source.name));
  const own = concerned.map(({ severity }) => toneOf(severity));
  return worstTone([...own, isUnknownSource(source) ? 'unk' : source.isWell ? 'ok' : 'warn']);
}
