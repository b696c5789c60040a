/**
 * Reads one inbox as its owner does: titles and texts in order, and nothing else. Knows the truth of the night, and
 * nothing of how Linewatch came by what it says.
 */
import { timeOf, type Night } from './night.ts';
import type { Read } from './play.ts';
import { HOUR, isOut, MINUTE } from './town.ts';

/** What must be in no inbox, each as a line for whoever looks into it. */
export interface WordFaults {
  /** Two messages of a thread say the same, or two ends. */
  repeated: string[];
  /** More phones than there are, or than were offline. */
  tooMany: string[];
  /** An alert ends twice, or never although all is well. */
  badEnds: string[];
  /** Something is over in its title, and phones are offline in its text without the number of their alert. */
  halfEnds: string[];
  /** The time at which an alert began is another than in the message before. */
  movedBeginnings: string[];
}

export const WORD_FAULTS = ['repeated', 'tooMany', 'badEnds', 'halfEnds', 'movedBeginnings'] as const;

/** Two looks to believe a loss, two to believe a return, and the wait for others. */
const SEEN_LATE_MS = 25 * MINUTE;

interface Told {
  at: number;
  title: string;
  text: string;
  number: string | null;
  /** The words between the number and the names: "Critical", "Update", "Resolved". */
  kicker: string;
  isNotice: boolean;
}

/** `own`: names of the customers whose messages this inbox gets. */
export function faultsOfWords(night: Night, inbox: readonly Read[], own: ReadonlySet<string>): WordFaults {
  const all = inbox.filter(({ at }) => at <= night.end).map(toldOf);
  const threads = Map.groupBy(
    all.filter(({ number }) => number !== null),
    ({ number }) => number ?? '',
  );
  return {
    repeated: repeatedIn(all),
    tooMany: all.flatMap((one) => tooManyIn(one, night, own)),
    badEnds: badEndsOf(threads, all, night, own),
    halfEnds: all.flatMap(({ at, title, kicker, text }) =>
      /^Resolved\b/.test(kicker) &&
      /[1-9]\d* (?:of \d+ )?phones? (?:still )?offline/.test(`${title}\n${text}`) &&
      !/still offline \([^)]*#\d/.test(`${title}\n${text}`)
        ? [`${timeOf(at)} ${title}`]
        : [],
    ),
    movedBeginnings: [...threads.values()].flatMap(movedBeginningsIn),
  };
}

function toldOf({ at, title, text, changes }: Read): Told {
  const line = text.split('\n')[1] ?? '';
  const [first = '', ...rest] = line.split(' · ');
  const numbered = /^#(\d+)/.exec(first);
  const isNotice = changes.some(({ kind }) => kind.startsWith('notice.'));
  return { at, title, text, number: numbered?.[1] ?? null, kicker: rest.join(' · '), isNotice };
}

/** Title and rows in one thread, or the same end under two numbers. Another event may be called as one of before was. */
function repeatedIn(all: readonly Told[]): string[] {
  const known = new Map<string, Told>();
  return all.flatMap((one) => {
    const { at, title, text, number, kicker } = one;
    const rows = text.split('\n').filter((line) => line.startsWith('- '));
    const key = JSON.stringify(isEnd(kicker) ? [title, 'end'] : [title, number, ...rows]);
    const before = known.get(key);
    known.set(key, one);
    const isSoon = before !== undefined && at - before.at < 2 * HOUR && !isAnotherNotice(one, before, all);
    return isSoon ? [`${timeOf(at)} #${number} ${title} (as #${before.number} at ${timeOf(before.at)})`] : [];
  });
}

/** The provider opened it after the end of one with the same subject. */
function isAnotherNotice(one: Told, before: Told, all: readonly Told[]): boolean {
  const first = all.find(({ number }) => number === one.number);
  return one.isNotice && before.isNotice && first !== undefined && first.at > before.at;
}

function tooManyIn({ at, title, text }: Told, night: Night, own: ReadonlySet<string>): string[] {
  const phones = night.customers.filter(({ name }) => own.has(name)).flatMap((customer) => customer.phones);
  const wereOut = phones.filter((phone) => {
    for (let before = 0; before <= SEEN_LATE_MS; before += MINUTE) if (isOut(phone, at - before)) return true;
    return false;
  }).length;
  const everOut = phones.filter((phone) => phone.absences.some(({ from }) => from <= at)).length;
  // Phones that moved to another address are not offline.
  const isOver = /^(?:[^:]+: )?(?:All|Both) /.test(title) || /\bback\b|online again|\bregister from\b/.test(title);
  const said = [...title.matchAll(/(\d+) of (\d+)/g)].map(([, some, of]) => [Number(some), Number(of)] as const);
  const wrong = said.some(([some, of]) => some > of || of > phones.length || (!isOver && some > wereOut));
  const [, back] = /\bAll (\d+) phones?\b/.exec(title) ?? [];
  const isTooMany = back !== undefined && (Number(back) > phones.length || Number(back) === 0);
  const rows = [...text.matchAll(/(\d+) of (\d+) phones? (?:are |is )?offline/g)];
  const isRowWrong = rows.some(([, some, of]) => Number(some) > Number(of));
  const many = /(\d+) of \d+ phones? (?:still )?offline at/.exec(title);
  const beyond = many !== null && Number(many[1]) > everOut;
  return wrong || isTooMany || isRowWrong || beyond ? [`${timeOf(at)} ${title} (${wereOut} were offline)`] : [];
}

function badEndsOf(
  threads: ReadonlyMap<string, readonly Told[]>,
  all: readonly Told[],
  night: Night,
  own: ReadonlySet<string>,
): string[] {
  const others = night.customers.filter(({ name }) => own.has(name)).flatMap(({ phones }) => phones);
  const isQuiet = !others.some((phone) => isOut(phone, night.end) || isOut(phone, night.end - HOUR / 2));
  const named = new Set(
    all
      .filter(({ kicker }) => isEnd(kicker))
      .flatMap(({ text }) => [...(text.split('\n')[1] ?? '').matchAll(/#(\d+)/g)].map(([, number]) => number)),
  );
  return [...threads].flatMap(([number, told]) => {
    let open = false;
    const found: string[] = [];
    for (const { at, title, kicker } of told) {
      if (isEnd(kicker)) {
        if (!open && told[0]?.at !== at) found.push(`${timeOf(at)} #${number} ends twice: ${title}`);
        open = false;
      } else if (/\b(?:New|Open again|Update|Reminder)\b/.test(kicker)) open = true;
      else if (/\bMerged\b/.test(kicker)) open = true;
    }
    const last = told.at(-1);
    const isOfPhones = told.some(({ title }) => /offline|phones?\b/.test(title));
    if (open && isQuiet && isOfPhones && last !== undefined && !named.has(number)) {
      found.push(`${timeOf(last.at)} #${number} never ends: ${last.title}`);
    }
    return found;
  });
}

function isEnd(kicker: string): boolean {
  return /\b(?:Resolved|Ended|Over|Withdrawn|Completed?|Closed|Cancelled|Back)\b/.test(kicker.split(' · ')[0] ?? '');
}

/** A loss that ended and began anew begins anew. */
function movedBeginningsIn(told: readonly Told[]): string[] {
  let known: string | null = null;
  return told.flatMap(({ at, title, text, kicker, number }) => {
    if (isEnd(kicker)) {
      known = null;
      return [];
    }
    const [, since] = /^Since: (.*)$/m.exec(text) ?? [];
    if (since === undefined) return [];
    const before = known;
    known = since;
    return before === null || before === since ? [] : [`${timeOf(at)} #${number} since ${before} → ${since}: ${title}`];
  });
}
