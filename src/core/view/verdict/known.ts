/**
 * Knowledge of the watched sources, and every sum over them: a part that was not read within its time is neither well nor
 * wrong in any.
 */
import type { AccountPart } from '../../observation/listing.ts';
import { formatCount } from '../../text/plain.ts';
import { hourWhen, span } from '../../wording/time.ts';
import type { Picture, SourceReading, SourceView } from '../picture.ts';

/** Parts of a source that are summed: its page with the components, or the phones or toggles of an account. */
export type SourcePart = 'page' | AccountPart;

/** Nothing else of what knows how well it was read. */
export function readingOf({ lastReadAt, unreadMs, unsweptMs, unreadAfterMs }: SourceReading): SourceReading {
  return { lastReadAt, unreadMs, unsweptMs, unreadAfterMs };
}

/** It was not read in full within its threshold. */
export function isLate({ lastReadAt, unreadMs, unreadAfterMs }: SourceReading): boolean {
  return lastReadAt === null || unreadMs > unreadAfterMs;
}

/** Its first look since the start has not come to its end, and is not late: what is not known of it is no failure. */
export function isAwaited({ lastReadAt, unreadMs, unreadAfterMs, unreachable, blind }: SourceView): boolean {
  return lastReadAt === null && unreadMs <= unreadAfterMs && !unreachable && blind.length === 0;
}

/** How many of the sources were read since the start. */
export interface Starting {
  read: number;
  total: number;
}

/** Null once the first look at every source has come to its end, or is late. */
export function startingOf({ sources, startedAt }: Pick<Picture, 'sources' | 'startedAt'>): Starting | null {
  if (startedAt === null || !sources.some(isAwaited)) return null;
  return { read: sources.filter(({ lastReadAt }) => lastReadAt !== null).length, total: sources.length };
}

/** `Starting: 20 of 22 sources read`. */
export function startingText({ read, total }: Starting): string {
  return `Starting: ${read} of ${formatCount(total, 'source')} read`;
}

/** `read 4 s ago`, `last read 5 min ago` of what is not known now, `not read yet`. */
export function readText({ lastReadAt, unreadMs, state }: SourceView, isUnknown: boolean): string {
  if (lastReadAt !== null) return `${isUnknown ? 'last ' : ''}read ${span(unreadMs)} ago`;
  // What was kept from before the start is still shown, as it was then.
  return state === null ? 'not read yet' : 'not read since the start';
}

/** An account is read in parts: one that cannot be read says nothing of the other. */
export function isUnknownPart(source: SourceView, part: SourcePart): boolean {
  if (source.type === 'status page') return isUnknownSource(source);
  const { phones, toggles, unread, unsweptMs, unreadAfterMs } = source;
  const isUnswept = unsweptMs === undefined ? isLate(source) : unsweptMs > unreadAfterMs;
  return isUnswept || unread.some((each) => each === part) || (part === 'toggles' ? toggles : phones) === null;
}

/** Nothing is called well of it: it was not read in time, or does not answer, or a part of it does not. */
export function isUnknownSource(source: SourceView): boolean {
  const isBlind = source.type === 'account' && source.unread.length > 0;
  return isLate(source) || source.unreachable || source.state === null || isBlind;
}

export interface Sum {
  well: number;
  wrong: number;
  unknown: number;
  /** Sources of which it is not even known how many there are. */
  uncounted: number;
  /** All that is unknown is of sources whose first look has not come to its end. */
  isAwaited: boolean;
  /** When the source of the unknown that was read the longest ago was read in full; null for not since the start. */
  since: number | null;
}

/** `count` is of what was last read: it counts as that where the part was read within its time, and else as unknown. */
export function sumOf<S extends SourceView>(
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
  /** For a sum of so many, all known and well. */
  all: (total: number) => string;
  well: string;
  wrong: string;
}

/** `all operational`, `1 of 3 not operational`, `2 of 3 operational, 1 not known since 03:12`. */
export function sumText(sum: Sum, words: SumWords, picture: Pick<Picture, 'timezone' | 'now'>): string {
  const { well, wrong, unknown } = sum;
  const total = well + wrong + unknown;
  const lacking = unknownText(sum, picture);
  if (lacking === null) return wrong === 0 ? words.all(total) : `${wrong} of ${total} ${words.wrong}`;
  if (well + wrong === 0) return unknown > 1 ? `all ${lacking}` : lacking;
  return [`${well} of ${total} ${words.well}`, ...(wrong > 0 ? [`${wrong} not`] : []), lacking].join(', ');
}

/** `1 not known since 03:12`, `1 not read yet`; null where all is known. */
export function unknownText(
  { unknown, uncounted, isAwaited: isNotYet, since }: Sum,
  { timezone, now }: Pick<Picture, 'timezone' | 'now'>,
): string | null {
  if (unknown + uncounted === 0) return null;
  if (isNotYet) return `${unknown === 0 ? formatCount(uncounted, 'account') : unknown} not read yet`;
  return `${unknown === 0 ? 'not known' : `${unknown} not known`}${since === null ? '' : ` since ${hourWhen(since, timezone, now)}`}`;
}
