/**
 * The one verdict over everything: what is so, the worst first, how bad it is, and what to do. Page, title, favicon, badge,
 * wall, interface for programs, `status` and digest say the same. What is not known is never called well.
 */
import { formatList, toOneLine } from '../../text/plain.ts';
import type { Severity } from '../../transition/kind.ts';
import { speakerIn } from '../../wording/speaker.ts';
import { begun, offlineBy, ranksOf } from './alert-order.ts';
import { isAwaited, isUnknownSource, startingOf, startingText } from './known.ts';
import { lossHeadline, lossSentences, lossTodos, TOGGLE_ADVICE } from './loss-words.ts';
import { lossesOf, type PhoneLosses } from './phone-losses.ts';
import type { OpenAlert, Picture, SourceView } from '../picture.ts';
import { listUnreadTodos } from './unread-todos.ts';

/** How something stands: critical, warning, not known, planned work under way, well. */
export const TONES = ['crit', 'warn', 'unk', 'work', 'ok'] as const;
export type VerdictTone = (typeof TONES)[number];

export interface Verdict {
  tone: VerdictTone;
  /** `120 of 371 phones offline` where any are; else the first of what is open. */
  headline: string;
  /** Phones that are offline, by their causes; null while none is known to be. */
  losses: PhoneLosses | null;
  /** The split of the headline's number by cause, a sentence each; empty where nothing is offline. */
  split: string[];
  /** Advice, a line for each cause. */
  todo: string[];
  /** Alert of the headline, of several losses the first; null where nothing is open. */
  lead: OpenAlert | null;
  /** Other open alerts, in order. */
  others: OpenAlert[];
  /** Sources of which it is not known how they are, but for those that are awaited. */
  unknown: SourceView[];
  /** Sources whose first look since the start has not come to its end. */
  awaited: SourceView[];
  /** For a window's title: "3 open: Toggle “After hours” is ON", "120 of 371 phones offline, 12 customers". */
  title: string;
}

/** As many as are named. */
const NAMED = 3;

/**
 * Phones that are offline come before all else. Anything else that is open and critical or a warning comes before what is
 * not known; that comes before planned work.
 */
export function verdictOf(picture: Picture): Verdict {
  const open = begun(picture);
  const losses = lossesOf(picture);
  const starting = startingOf(picture);
  const awaited = starting === null ? [] : picture.sources.filter(isAwaited);
  const unread = picture.sources.filter(isUnknownSource);
  const unknown = unread.filter((source) => !awaited.includes(source));
  if (losses !== null) {
    const ofLosses = verdictOfLosses(picture, losses);
    // Advice on the phones says whether to call; a key is refused besides.
    const keys = listUnreadTodos(unknown.filter(({ isRefused }) => isRefused === true));
    return { ...ofLosses, todo: [...ofLosses.todo, ...keys], unknown, awaited };
  }
  const [lead = null, ...others] = open;
  const tone = worstTone([lead === null ? 'ok' : toneOf(lead.severity), unread.length > 0 ? 'unk' : 'ok']);
  const notKnown = `Not known how ${formatList(
    unknown.map(({ called }) => toOneLine(called)),
    NAMED,
  )} ${unknown.length === 1 ? 'is' : 'are'}`;
  const isUnknownFirst = tone === 'unk';
  const unsure = unknown.length === 0 && starting !== null ? startingText(starting) : notKnown;
  const headline = isUnknownFirst ? unsure : lead === null ? 'All is well' : toOneLine(lead.title) || 'Without a title';
  const advice = isUnknownFirst || lead === null ? null : todoOf(picture, lead);
  return {
    tone,
    headline,
    losses: null,
    split: [],
    todo: [...(advice === null ? [] : [advice]), ...listUnreadTodos(unknown)],
    lead: isUnknownFirst ? null : lead,
    others: isUnknownFirst ? open : others,
    unknown,
    awaited,
    title: open.length === 0 ? headline : `${open.length} open: ${headline}`,
  };
}

function verdictOfLosses(picture: Picture, losses: PhoneLosses): Omit<Verdict, 'unknown' | 'awaited'> {
  const open = begun(picture);
  const lead = open.find((alert) => offlineBy(alert) > 0) ?? null;
  const rankOf = ranksOf(open, picture.sources);
  const headline = lossHeadline(losses);
  return {
    // A notice that costs no phones does not make the loss of one worse.
    tone: worstTone(open.map((alert) => toneOf(rankOf(alert)))),
    headline,
    losses,
    split: lossSentences(losses, picture),
    todo: lossTodos(losses, picture),
    lead,
    others: open.filter((alert) => alert !== lead),
    title: losses.customers > 1 ? `${headline}, ${losses.customers} customers` : headline,
  };
}

/** Advice on an alert that costs no phones; null where there is none, or where that on what cannot be read has it. */
function todoOf({ sources }: Pick<Picture, 'sources'>, lead: OpenAlert): string | null {
  const { acknowledged, severity, said, parts } = lead;
  const concerned = sources.filter(({ name }) => lead.sources.includes(name));
  if (severity === 'info' || concerned.length === 0) return null;
  if (acknowledged !== null) return `Ask ${toOneLine(acknowledged.by)} before you do something: it is in hand.`;
  const unread = concerned.filter((source) => isUnknownSource(source) && !isAwaited(source));
  if (listUnreadTodos(unread).length > 0) return null;
  if (unread.length > 0) {
    return 'Look whether the network and the credentials are in order: nothing is called well until it answers.';
  }
  if (parts.some(({ narrower }) => narrower?.key === 'kind')) {
    return TOGGLE_ADVICE;
  }
  if (lead.advice !== undefined) return lead.advice;
  const by = said.length > 0 ? speakerIn(sources, lead) : null;
  if (by !== null) return `Nothing yet: ${by} knows of it, and your phones are watched.`;
  return concerned.some(({ type }) => type === 'account')
    ? 'Check power and network where the phones are; if all is well there, call the provider.'
    : 'Nothing yet: no notice explains it, and your phones are watched.';
}

export function toneOf(severity: Severity): VerdictTone {
  return severity === 'critical' ? 'crit' : severity === 'warning' ? 'warn' : 'work';
}

/** `ok` for none. */
function worstTone(tones: readonly VerdictTone[]): VerdictTone {
  return TONES.find((tone) => tones.includes(tone)) ?? 'ok';
}

/** Worse than what is open of it, or not known. */
export function toneOfSource(source: SourceView, open: readonly OpenAlert[]): VerdictTone {
  const concerned = open.filter(({ sources, isToCome }) => !isToCome && sources.includes(source.name));
  const own = concerned.map(({ severity }) => toneOf(severity));
  return worstTone([...own, isUnknownSource(source) ? 'unk' : source.isWell ? 'ok' : 'warn']);
}
