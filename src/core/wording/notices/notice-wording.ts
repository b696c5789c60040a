/** Parts of the wording that all changes of a notice share. */
import type { NoticeDetails } from '../../transition/details.ts';
import type { UnlistedDetails } from '../../transition/notice-details.ts';
import {
  markAtAGlance,
  createFact,
  createLink,
  createList,
  cleanName,
  cleanTitle,
  createQuotes,
  createWindowFact,
  formatWindow,
  createWording,
  type Fact,
  type List,
  type Setting,
  type WordingTable,
  type WordingContext,
  type Wording,
} from '../wording.ts';
import { describeEnding, NOT_RESOLVED } from './notice-ending.ts';
import { formatPossessive, PROVIDER } from '../authors.ts';
import { formatArrow, formatNoticeClause, formatNoticeState, addVendorWord } from '../state-words.ts';
import { parseInstant, formatElapsed } from '../time.ts';
import { capitalize, toOneLine, formatCount } from '../../text/plain.ts';
import { END_STATES } from '../../page/page-model.ts';

function isPlanned(details: NoticeDetails): boolean {
  return details.notice.type === 'planned';
}

function isTrouble(details: NoticeDetails): boolean {
  return details.notice.type === 'unplanned';
}

function window(details: NoticeDetails, setting: Setting): Fact[] {
  const { begins_at, ends_at } = details.notice;
  if (begins_at === null && ends_at === null) return [];
  return markAtAGlance([createWindowFact('Window', { begins_at, ends_at }, setting)]);
}

function listAffected(details: NoticeDetails): List[] {
  const names = (details.components ?? []).map((component) => cleanName(component.name));
  return createList('Affects', names).map((one) => ({ ...one, affected: true }));
}

/** Finds names of components that a notice affects, or affected before this change. */
export function findAffectedName(
  { components, no_longer: before }: NoticeDetails,
  current: (id: string) => string | null,
): (id: string) => string {
  const known = new Map([...(before ?? []), ...(components ?? [])].map(({ id, name }) => [id, name]));
  return (id) => cleanName(known.get(id) ?? current(id) ?? `component ${id}`);
}

function listUnknownReach(details: NoticeDetails, by: string): Fact[] {
  if (details.components === null) return createFact('Affects', 'not known yet');
  return details.components.length === 0 ? createFact('Affects', `${by} names no component`) : [];
}

function listImpact({ notice }: NoticeDetails): Fact[] {
  return createFact('Impact', notice.impact === undefined ? null : toOneLine(notice.impact));
}

/** Start and end given by the provider. Pages that show no actual start of work show the planned one. */
function findOwnTimes({ notice }: NoticeDetails, { now }: Pick<Setting, 'now'>): Pick<Wording, 'since' | 'until'> {
  const planned = notice.state === 'underway' ? parseInstant(notice.begins_at) : null;
  const start = planned !== null && planned <= now ? planned : null;
  return { since: parseInstant(notice.began_at) ?? start, until: parseInstant(notice.ended_at) };
}

/** The vendor's word for what is open, in quotation marks; null if it is that of its state. */
function formatOwnWord({ notice: { state, word } }: NoticeDetails): string | null {
  return word === undefined || state !== 'investigating' ? null : `“${toOneLine(word)}”`;
}

/** Pages that show only that something is open do not say that anybody investigates it. */
function formatStanding(details: NoticeDetails, state: string | null, by: string): string {
  const word = state === 'investigating' ? formatOwnWord(details) : null;
  return word === null ? formatNoticeClause(state, by) : `${by} says ${word}`;
}

/** A withdrawn notice has no previous state; one that left the page, or was archived, has none that ends it. */
function describeReopening(from: string | null, by: string): string {
  if (from === null) return `${capitalize(by)} had taken this notice down and shows it again.`;
  if (END_STATES.some((state) => state === from)) {
    return `${capitalize(by)} had ended this notice and has opened it again.`;
  }
  return `It had left the open notices and counted as over; ${by} shows it as open again.`;
}

/** Wording of a change of a notice: its own `facts` and `sentences` first, then the shared parts. */
export function createNoticeWording(
  headline: string,
  details: NoticeDetails,
  setting: WordingContext,
  own: Partial<Wording>,
): Wording {
  return createWording(headline, cleanTitle(details.notice.subject), {
    // Planned work is announced long before it begins, so the provider's times are used.
    ...(isPlanned(details) ? { ending: 'Over', ...findOwnTimes(details, setting) } : {}),
    ...own,
    standing: formatStanding(details, details.notice.state, setting.by),
    begun: !isPlanned(details) || details.notice.began_at !== null || details.notice.state === 'underway',
    facts: [
      ...(own.facts ?? []),
      ...listImpact(details),
      ...window(details, setting),
      ...listUnknownReach(details, setting.by),
    ],
    lists: [...(own.lists ?? []), ...listAffected(details)],
    words: own.words ?? createQuotes(details.updates, setting),
    links: createLink(formatPossessive(setting.by, 'notice'), details.notice.url),
  });
}

function listNotes(details: NoticeDetails, { by }: WordingContext): string[] {
  if (details.notice.state !== 'recovering') return [];
  // Many vendors only remove a notice at its end.
  const end = by === PROVIDER ? 'says that it is over' : 'no longer shows it as open';
  return [`Recovering is not an all-clear: we tell you when ${by} ${end}.`];
}

function describeOpening(details: NoticeDetails, to: string | null, setting: WordingContext): string {
  const subject = cleanTitle(details.notice.subject);
  if (isPlanned(details)) {
    if (to === 'underway') return `Maintenance is under way: ${subject}`;
    return `Planned maintenance: ${subject} — ${formatWindow(details.notice, setting)}`;
  }
  if (!isTrouble(details)) return `Notice: ${subject}`;
  return `Trouble: ${subject} — ${formatStanding(details, to, setting.by)}`;
}

function describeProgress(from: string | null, to: string | null, details: NoticeDetails): string {
  const subject = cleanTitle(details.notice.subject);
  if (to === 'scheduled' && from === 'underway') {
    return `Maintenance is back to scheduled: ${subject} — it is no longer under way`;
  }
  if (to === 'investigating' && from !== null) return `Investigating again: ${subject}`;
  return `${MOVED_ON.get(to ?? '') ?? formatNoticeState(to)}: ${subject}`;
}

/** Headlines that replace the label of a state. */
const MOVED_ON: ReadonlyMap<string, string> = new Map([
  ['underway', 'Maintenance has started'],
  ['recovering', 'Recovering, not over yet'],
  ['identified', 'Cause found, being worked on'],
]);

function describeOverBeforeSeen(to: string | null, details: NoticeDetails, setting: WordingContext): Wording {
  const subject = cleanTitle(details.notice.subject);
  return createNoticeWording(
    `Over before we saw it: ${subject} — ${formatNoticeClause(to, setting.by)}`,
    details,
    setting,
    {
      ...findOwnTimes(details, setting),
      facts: createFact('State', addVendorWord(formatNoticeState(to), details.notice.word)),
    },
  );
}

const UNLISTED: Readonly<Record<UnlistedDetails['verdict'], readonly string[]>> = {
  over: [
    'It does not show how notices end. What it shows is well and nothing else is open, so we take it for over; nobody has said that it is resolved.',
  ],
  open: ['It does not show how notices end, and not all that it shows is well: it stays open.'],
  unknown: ['The page’s history does not reach back to it, so nobody can say how it ended: it stays open.'],
};

export const noticeWording: WordingTable<
  | 'notice.opened'
  | 'notice.state'
  | 'notice.update'
  | 'notice.reopened'
  | 'notice.closed'
  | 'notice.withdrawn'
  | 'notice.unlisted'
  | 'notice.replaced'
> = {
  'notice.opened'({ to, details }, setting) {
    return createNoticeWording(describeOpening(details, to, setting), details, setting, {
      sentences: listNotes(details, setting),
      facts: createFact('State', addVendorWord(formatNoticeState(to), details.notice.word)),
    });
  },

  'notice.state'({ from, to, details }, setting) {
    return createNoticeWording(describeProgress(from, to, details), details, setting, {
      sentences: listNotes(details, setting),
      facts: createFact(
        'State',
        formatArrow(formatNoticeState(from), addVendorWord(formatNoticeState(to), details.notice.word)),
      ),
    });
  },

  'notice.update'({ to, details }, setting) {
    const count = details.updates.length;
    const subject = cleanTitle(details.notice.subject);
    const over = END_STATES.some((state) => state === to);
    const what = count > 1 ? formatCount(count, 'update') : 'Update';
    const still = to === 'investigating' ? `still ${formatOwnWord(details) ?? to}` : formatNoticeClause(to, setting.by);
    const headline = over
      ? `Review added after the end; still ${formatNoticeState(to).toLowerCase()}: ${subject}`
      : `${what}: ${subject}${to === null ? '' : ` — ${still}`}`;
    return createNoticeWording(headline, details, setting, {
      sentences: listNotes(details, setting),
      facts: createFact('State', `${formatNoticeState(to)}, unchanged`),
    });
  },

  'notice.reopened'({ from, to, details }, setting) {
    return createNoticeWording(
      `Open again: ${cleanTitle(details.notice.subject)} — ${formatStanding(details, to, setting.by)}`,
      details,
      setting,
      {
        sentences: [describeReopening(from, setting.by), ...listNotes(details, setting)],
        facts: createFact('State', formatArrow(from === null ? null : formatNoticeState(from), formatNoticeState(to))),
      },
    );
  },

  'notice.closed'({ from, to, details }, setting, status) {
    // A notice without a state, such as general information, has none before its end either.
    if (from === null && status === 'info') return describeOverBeforeSeen(to, details, setting);
    const { headline, ...how } = describeEnding(to, from, details, setting.by);
    return createNoticeWording(headline, details, setting, {
      ...how,
      facts: createFact(
        'State',
        formatArrow(formatNoticeState(from), addVendorWord(formatNoticeState(to), details.notice.word)),
      ),
    });
  },

  'notice.withdrawn'({ from, details }, setting) {
    const { by } = setting;
    const planned = isPlanned(details);
    const subject = cleanTitle(details.notice.subject);
    const known = planned
      ? `${capitalize(by)} has not said whether the work is called off or done.`
      : `${capitalize(by)} has not said that it is resolved, so we do not know whether it is.`;
    return createNoticeWording(`Withdrawn by ${by}${planned ? '' : ', not resolved'}: ${subject}`, details, setting, {
      allClear: false,
      ending: planned ? 'Withdrawn' : NOT_RESOLVED,
      sentences: [`The notice is gone from the status page. ${known}`],
      facts: createFact('Last state', formatNoticeState(from)),
    });
  },

  'notice.unlisted'({ from, details }, setting) {
    const subject = cleanTitle(details.notice.subject);
    const absent = `For ${formatElapsed(details.milliseconds)} the page has not listed this notice.`;
    const isOver = details.verdict === 'over';
    return createNoticeWording(
      `No longer listed${isOver ? '' : ', not known to be over'}: ${subject}`,
      details,
      setting,
      {
        allClear: false,
        ending: 'Ended, no longer listed',
        sentences: [absent, ...UNLISTED[details.verdict]],
        facts: createFact('Last state', addVendorWord(formatNoticeState(from), details.notice.word)),
      },
    );
  },

  'notice.replaced'({ from, to, details }, setting) {
    return createNoticeWording(
      `Replaced by a new notice, same ${isPlanned(details) ? 'work' : 'incident'}: ${cleanTitle(details.notice.subject)} — ${formatNoticeClause(details.notice.state, setting.by)}`,
      details,
      setting,
      {
        sentences: [
          `${capitalize(setting.by)} has taken the old notice down and put up a new one for the same thing.`,
          ...listNotes(details, setting),
        ],
        facts: [
          ...createFact('State', formatNoticeState(details.notice.state)),
          ...createFact('Notice', formatArrow(from, to)),
        ],
      },
    );
  },
};
