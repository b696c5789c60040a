/**
 * Decides which sources are known, for every sum over them: a part that was not read in time counts neither as well nor
 * as faulty.
 */
import type { AccountPart } from '../../observation/listing.ts';
import { formatCount, formatInteger } from '../../text/plain.ts';
import { formatHour, formatElapsed } from '../../wording/time.ts';
import type { SystemStatus, SourceReading, SourceView } from '../system-status.ts';

/** Parts of a source that are summed: its page with components, or phones or toggles of an account. */
export type SourcePart = 'page' | AccountPart;

/** Copies only the fields about its reading. */
export function selectReading({ lastReadAt, unreadMs, unsweptMs, unreadAfterMs }: SourceReading): SourceReading {
  return { lastReadAt, unreadMs, unsweptMs, unreadAfterMs };
}

/** It was not read completely within its threshold. */
export function isLate({ lastReadAt, unreadMs, unreadAfterMs }: SourceReading): boolean {
  return lastReadAt === null || unreadMs > unreadAfterMs;
}

/** Its first sweep since the start is running and not late: unknown parts are not failures. */
export function isAwaited({ lastReadAt, unreadMs, unreadAfterMs, unreachable, blind }: SourceView): boolean {
  return lastReadAt === null && unreadMs <= unreadAfterMs && !unreachable && blind.length === 0;
}

/** Number of sources read since the start. */
export interface StartProgress {
  read: number;
  total: number;
}

/** Null once the first sweep of every source has ended or is late. */
export function findStarting({
  sources,
  startedAt,
}: Pick<SystemStatus, 'sources' | 'startedAt'>): StartProgress | null {
  if (startedAt === null || !sources.some(isAwaited)) return null;
  return { read: sources.filter(({ lastReadAt }) => lastReadAt !== null).length, total: sources.length };
}

/** `Starting: 20 of 22 sources read`. */
export function formatStarting({ read, total }: StartProgress): string {
  return `Starting: ${read} of ${formatCount(total, 'source')} read`;
}

/** `read 4 s ago`, `last read 5 min ago` for an unknown source, `not read yet`. */
export function formatReadTime({ lastReadAt, unreadMs, state }: SourceView, isUnknown: boolean): string {
  if (lastReadAt !== null) return `${isUnknown ? 'last ' : ''}read ${formatElapsed(unreadMs)} ago`;
  // State from before the start is still shown, unchanged.
  return state === null ? 'not read yet' : 'not read since the start';
}

/** Parts of an account are read separately: one that fails does not affect the other. */
export function isUnknownPart(source: SourceView, part: SourcePart): boolean {
  if (source.type === 'status page') return isUnknownSource(source);
  const { phones, toggles, unread, unsweptMs, unreadAfterMs } = source;
  const isUnswept = unsweptMs === undefined ? isLate(source) : unsweptMs > unreadAfterMs;
  return isUnswept || unread.some((each) => each === part) || (part === 'toggles' ? toggles : phones) === null;
}

/** Not counted as well: it was not read in time, or it or a part of it does not respond. */
export function isUnknownSource(source: SourceView): boolean {
  const isBlind = source.type === 'account' && source.unread.length > 0;
  return isLate(source) || source.unreachable || source.state === null || isBlind;
}

/** It was read, and shows no state of itself as a whole: what it lists is all that is known of it. */
export function isStateless(source: SourceView): boolean {
  return source.type === 'status page' && source.page === null && source.state !== null && source.isRefused !== true;
}

export interface Sum {
  well: number;
  wrong: number;
  unknown: number;
  /** Number of sources whose size is unknown. */
  uncounted: number;
  /** All unknown parts belong to sources in their first sweep. */
  isAwaited: boolean;
  /** Oldest complete reading among unknown sources; null for none since the start. */
  since: number | null;
}

/** `count` counts the last reading: its parts are unknown unless they were read in time. */
export function computeSum<S extends SourceView>(
  sources: readonly S[],
  part: SourcePart,
  count: (source: S) => { well: number; wrong: number; unknown?: number },
): Sum {
  const sum: Sum = { well: 0, wrong: 0, unknown: 0, uncounted: 0, isAwaited: true, since: Infinity };
  for (const source of sources) {
    const { well, wrong, unknown = 0 } = count(source);
    const isUnknown = isUnknownPart(source, part);
    const lacking = isUnknown ? well + wrong + unknown : unknown;
    if (!isUnknown) {
      sum.well += well;
      sum.wrong += wrong;
    }
    sum.unknown += lacking;
    if (isUnknown && lacking === 0) sum.uncounted += 1;
    if (!isUnknown && lacking === 0) continue;
    sum.since = Math.min(sum.since ?? 0, source.lastReadAt ?? -Infinity);
    sum.isAwaited &&= isAwaited(source);
  }
  return { ...sum, since: Number.isFinite(sum.since) ? sum.since : null };
}

export interface SumWords {
  well: string;
  wrong: string;
}

/** `both operational`, `1 of 3 not operational`, `2 of 3 operational, 1 not known since 03:12`; no number of a single one. */
export function formatSum(sum: Sum, words: SumWords, status: Pick<SystemStatus, 'timezone' | 'now'>): string {
  const { well, wrong, unknown } = sum;
  const total = well + wrong + unknown;
  const lacking = formatUnknown(sum, status);
  if (lacking === null) {
    if (wrong === 0) return `${formatAll(total)}${words.well}`;
    return total === 1 ? words.wrong : `${formatInteger(wrong)} of ${formatInteger(total)} ${words.wrong}`;
  }
  if (well + wrong === 0) return unknown > 1 ? `all ${lacking}` : lacking;
  return [
    `${formatInteger(well)} of ${formatInteger(total)} ${words.well}`,
    ...(wrong > 0 ? [`${formatInteger(wrong)} not`] : []),
    lacking,
  ].join(', ');
}

function formatAll(total: number): string {
  return total === 1 ? '' : total === 2 ? 'both ' : `all ${formatInteger(total)} `;
}

/** `1 not known since 03:12`, `1 not read yet`; null if all is known. */
export function formatUnknown(
  { unknown, uncounted, isAwaited: isNotYet, since }: Sum,
  { timezone, now }: Pick<SystemStatus, 'timezone' | 'now'>,
): string | null {
  if (unknown + uncounted === 0) return null;
  if (isNotYet) return `${unknown === 0 ? formatCount(uncounted, 'account') : formatInteger(unknown)} not read yet`;
  return `${unknown === 0 ? 'not known' : `${formatInteger(unknown)} not known`}${since === null ? '' : ` since ${formatHour(since, timezone, now)}`}`;
}
