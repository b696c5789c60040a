/**
 * The single verdict over everything: the worst problem first, its severity, and advice. Used by page, title, favicon,
 * badge, wall, API, `status` and digest. Unknown is never shown as well.
 */
import { ACCOUNT_PARTS } from '../../observation/listing.ts';
import { formatCount, formatList, toOneLine } from '../../text/plain.ts';
import type { Severity } from '../../transition/kind.ts';
import { findAlertAuthor } from '../../wording/authors.ts';
import { listBegunAlerts, countOfflineBy, createAlertRanks } from './alert-order.ts';
import { isAwaited, isStateless, isUnknownPart, isUnknownSource, findStarting, formatStarting } from './known.ts';
import { formatLossHeadline, formatLossSentences, listLossTodos, TOGGLE_ADVICE } from './loss-words.ts';
import { sumPhoneLosses, type PhoneLosses } from './phone-losses.ts';
import { listAccountViews } from './sums.ts';
import type { OpenAlert, SystemStatus, SourceView } from '../system-status.ts';
import { listUnreadTodos } from './unread-todos.ts';

/** Tone of a state: critical, warning, unknown, running maintenance, well. */
export const TONES = ['crit', 'warn', 'unk', 'work', 'ok'] as const;
export type VerdictTone = (typeof TONES)[number];

export interface Verdict {
  tone: VerdictTone;
  /** `120 of 371 phones offline` if any are; `59 phones: not known`; else the title of the first open alert. */
  headline: string;
  /** Offline phones by cause; null if none is known to be offline. */
  losses: PhoneLosses | null;
  /** The headline's number split by cause, a sentence each; empty if no phone is offline. */
  split: string[];
  /** Advice, a line for each cause. */
  todo: string[];
  /** Alert of the headline, the first of several losses; null if none is open. */
  lead: OpenAlert | null;
  /** Other open alerts, in order. */
  others: OpenAlert[];
  /** Sources in an unknown state outside their first sweep. */
  unknown: SourceView[];
  /** Sources in their first sweep since the start. */
  awaited: SourceView[];
  /** Number of phones if all of them are unknown, as the provider does not answer; null otherwise. */
  cutOff: number | null;
  /** For a window's title: "3 open: Toggle “After hours” is ON", "120 of 371 phones offline, 12 customers". */
  title: string;
}

/** Number of names in a list. */
const NAMED = 3;

/** Offline phones come first. Next come other critical alerts and warnings, then unknown sources, then maintenance. */
export function computeVerdict(status: SystemStatus): Verdict {
  const open = listBegunAlerts(status);
  const losses = sumPhoneLosses(status);
  const starting = findStarting(status);
  const awaited = starting === null ? [] : status.sources.filter(isAwaited);
  const unread = status.sources.filter(isUnknownSource);
  const unknown = unread.filter((source) => !awaited.includes(source));
  if (losses !== null) {
    const ofLosses = verdictOfLosses(status, losses);
    // Advice on phones says whether to call the provider; a refused key is a separate problem.
    const keys = listUnreadTodos(unknown.filter(({ isRefused }) => isRefused === true));
    return { ...ofLosses, todo: [...ofLosses.todo, ...keys], unknown, awaited, cutOff: null };
  }
  const [lead = null, ...others] = open;
  const cutOff = countCutOff(status, lead);
  if (cutOff !== null) {
    const headline = `${formatCount(cutOff, 'phone')}: not known`;
    const todo = listUnreadTodos(unknown);
    return {
      tone: 'unk',
      headline,
      title: headline,
      losses: null,
      split: [],
      todo,
      lead,
      others,
      unknown,
      awaited,
      cutOff,
    };
  }
  const tone = worstTone([lead === null ? 'ok' : toTone(lead.severity), unread.length > 0 ? 'unk' : 'ok']);
  const isUnknownFirst = tone === 'unk';
  const notKnown = `Not known how ${formatList(
    unknown.map(({ called }) => toOneLine(called)),
    NAMED,
  )} ${unknown.length === 1 ? 'is' : 'are'}`;
  const unsure = unknown.length === 0 && starting !== null ? formatStarting(starting) : notKnown;
  const calm = status.sources.length > 0 && status.sources.every(isStateless) ? 'Nothing is open' : 'All is well';
  const headline = isUnknownFirst ? unsure : lead === null ? calm : toOneLine(lead.title) || 'Without a title';
  const advice = isUnknownFirst || lead === null ? null : todoOf(status, lead);
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
    cutOff: null,
    title: open.length === 0 ? headline : `${open.length} open: ${headline}`,
  };
}

/** Nothing is wrong, and sources have not been read yet. */
export function isStart({ tone, unknown }: Pick<Verdict, 'tone' | 'unknown'>): boolean {
  return tone === 'unk' && unknown.length === 0;
}

/** All phones, if no account answers and the first alert says so; null otherwise. */
function countCutOff(status: SystemStatus, lead: OpenAlert | null): number | null {
  const accounts = listAccountViews(status);
  const isUnreached = (source: SourceView): boolean =>
    source.unreachable &&
    source.isRefused !== true &&
    (source.type === 'status page' || ACCOUNT_PARTS.every((part) => isUnknownPart(source, part)));
  const concerned = status.sources.filter(({ name }) => lead?.sources.includes(name));
  if (lead !== null && concerned.length === 0) return null;
  const phones = accounts.reduce((sum, account) => sum + (account.phones?.total ?? 0), 0);
  return phones > 0 && accounts.every(isUnreached) && concerned.every(isUnreached) ? phones : null;
}

function verdictOfLosses(status: SystemStatus, losses: PhoneLosses): Omit<Verdict, 'unknown' | 'awaited' | 'cutOff'> {
  const open = listBegunAlerts(status);
  const lead = open.find((alert) => countOfflineBy(alert) > 0) ?? null;
  const rankOf = createAlertRanks(open, status.sources);
  const headline = formatLossHeadline(losses);
  return {
    // A notice without lost phones does not raise the tone of a loss.
    tone: worstTone(open.map((alert) => toTone(rankOf(alert)))),
    headline,
    losses,
    split: formatLossSentences(losses, status),
    todo: listLossTodos(losses, status),
    lead,
    others: open.filter((alert) => alert !== lead),
    title: losses.customers > 1 ? `${headline}, ${losses.customers} customers` : headline,
  };
}

/** Advice on an alert without lost phones; null if there is none, or if the advice on unreadable sources covers it. */
function todoOf({ sources }: Pick<SystemStatus, 'sources'>, lead: OpenAlert): string | null {
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
  const by = said.length > 0 ? findAlertAuthor(sources, lead) : null;
  if (by === null && concerned.some(({ type }) => type === 'account')) {
    return 'Check power and network where the phones are; if all is well there, call the provider.';
  }
  const known = by === null ? 'no notice explains it' : `${by} knows of it`;
  return sources.some(({ type }) => type === 'account')
    ? `Nothing yet: ${known}, and your phones are watched.`
    : `Try a call: ${known}, and no phones are watched here.`;
}

export function toTone(severity: Severity): VerdictTone {
  return severity === 'critical' ? 'crit' : severity === 'warning' ? 'warn' : 'work';
}

/** `ok` for none. */
function worstTone(tones: readonly VerdictTone[]): VerdictTone {
  return TONES.find((tone) => tones.includes(tone)) ?? 'ok';
}

/** The worse of an unknown state and `alerts`, which are open and affect it. */
export function computeSourceTone(source: SourceView, alerts: readonly OpenAlert[]): VerdictTone {
  const own = alerts.flatMap(({ isToCome, severity }) => (isToCome ? [] : [toTone(severity)]));
  return worstTone([...own, isUnknownSource(source) ? 'unk' : source.isWell ? 'ok' : 'warn']);
}
