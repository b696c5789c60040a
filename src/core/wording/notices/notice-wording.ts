/** Parts of the wording that all changes of a notice share. */
import type { NoticeDetails } from '../../transition/details.ts';
import type { UnlistedDetails } from '../../transition/notice-details.ts';
import {
  atAGlance,
  fact,
  link,
  list,
  named,
  quotes,
  windowFact,
  windowOf,
  wording,
  type Fact,
  type List,
  type Setting,
  type Tellers,
  type Telling,
  type Wording,
} from '../wording.ts';
import { ended, NOT_RESOLVED } from './notice-ending.ts';
import { ownedBy } from '../speaker.ts';
import { changed, noticeClause, noticeLabel, withWord } from '../state-words.ts';
import { instant, span } from '../time.ts';
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
  return atAGlance([windowFact('Window', { begins_at, ends_at }, setting)]);
}

function listAffected(details: NoticeDetails): List[] {
  const names = (details.components ?? []).map((component) => named(component.name));
  return list('Affects', names).map((one) => ({ ...one, affected: true }));
}

function listUnknownReach(details: NoticeDetails, by: string): Fact[] {
  if (details.components === null) return fact('Affects', 'not known yet');
  return details.components.length === 0 ? fact('Affects', `${by} names no component`) : [];
}

function listImpact({ notice }: NoticeDetails): Fact[] {
  return fact('Impact', notice.impact === undefined ? null : toOneLine(notice.impact));
}

/** Start and end given by the provider. */
function findOwnTimes(details: NoticeDetails): Pick<Wording, 'since' | 'until'> {
  return { since: instant(details.notice.began_at), until: instant(details.notice.ended_at) };
}

/** Wording of a change of a notice: its own `facts` and `sentences` first, then the shared parts. */
export function wordingOfNotice(
  headline: string,
  details: NoticeDetails,
  setting: Telling,
  own: Partial<Wording>,
): Wording {
  return wording(headline, named(details.notice.subject), {
    // Planned work is announced long before it begins, so the provider's times are used.
    ...(isPlanned(details) ? { ending: 'Over', ...findOwnTimes(details) } : {}),
    ...own,
    standing: noticeClause(details.notice.state, setting.by),
    begun: !isPlanned(details) || details.notice.began_at !== null || details.notice.state === 'underway',
    facts: [
      ...(own.facts ?? []),
      ...listImpact(details),
      ...window(details, setting),
      ...listUnknownReach(details, setting.by),
    ],
    lists: [...(own.lists ?? []), ...listAffected(details)],
    words: own.words ?? quotes(details.updates, setting),
    links: link(ownedBy(setting.by, 'notice'), details.notice.url),
  });
}

function listNotes(details: NoticeDetails, { by }: Telling): string[] {
  if (details.notice.state !== 'recovering') return [];
  return [`Recovering is not an all-clear: we tell you when ${by} says that it is over.`];
}

function describeOpening(details: NoticeDetails, to: string | null, setting: Telling): string {
  const subject = named(details.notice.subject);
  if (isPlanned(details)) {
    if (to === 'underway') return `Maintenance is under way: ${subject}`;
    return `Planned maintenance: ${subject} — ${windowOf(details.notice, setting)}`;
  }
  if (!isTrouble(details)) return `Notice: ${subject}`;
  return `Trouble: ${subject} — ${noticeClause(to, setting.by)}`;
}

function describeProgress(from: string | null, to: string | null, details: NoticeDetails): string {
  const subject = named(details.notice.subject);
  if (to === 'scheduled' && from === 'underway') {
    return `Maintenance is back to scheduled: ${subject} — it is no longer under way`;
  }
  if (to === 'investigating' && from !== null) return `Investigating again: ${subject}`;
  return `${MOVED_ON.get(to ?? '') ?? noticeLabel(to)}: ${subject}`;
}

/** Headlines that replace the label of a state. */
const MOVED_ON: ReadonlyMap<string, string> = new Map([
  ['underway', 'Maintenance has started'],
  ['recovering', 'Recovering, not over yet'],
  ['identified', 'Cause found, being worked on'],
]);

function describeOverBeforeSeen(to: string | null, details: NoticeDetails, setting: Telling): Wording {
  const subject = named(details.notice.subject);
  return wordingOfNotice(`Over before we saw it: ${subject} — ${noticeClause(to, setting.by)}`, details, setting, {
    ...findOwnTimes(details),
    facts: fact('State', withWord(noticeLabel(to), details.notice.word)),
  });
}

const UNLISTED: Readonly<Record<UnlistedDetails['verdict'], readonly string[]>> = {
  over: [
    'It does not show how notices end. What it shows is well and nothing else is open, so we take it for over; nobody has said that it is resolved.',
  ],
  open: ['It does not show how notices end, and not all that it shows is well: it stays open.'],
  unknown: ['The page’s history does not reach back to it, so nobody can say how it ended: it stays open.'],
};

export const noticeWording: Tellers<
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
    return wordingOfNotice(describeOpening(details, to, setting), details, setting, {
      sentences: listNotes(details, setting),
      facts: fact('State', withWord(noticeLabel(to), details.notice.word)),
    });
  },

  'notice.state'({ from, to, details }, setting) {
    return wordingOfNotice(describeProgress(from, to, details), details, setting, {
      sentences: listNotes(details, setting),
      facts: fact('State', changed(noticeLabel(from), withWord(noticeLabel(to), details.notice.word))),
    });
  },

  'notice.update'({ to, details }, setting) {
    const count = details.updates.length;
    const subject = named(details.notice.subject);
    const over = END_STATES.some((state) => state === to);
    const what = count > 1 ? formatCount(count, 'update') : 'Update';
    const still = to === 'investigating' ? 'still investigating' : noticeClause(to, setting.by);
    const headline = over
      ? `Review added after the end; still ${noticeLabel(to).toLowerCase()}: ${subject}`
      : `${what}: ${subject}${to === null ? '' : ` — ${still}`}`;
    return wordingOfNotice(headline, details, setting, {
      sentences: listNotes(details, setting),
      facts: fact('State', `${noticeLabel(to)}, unchanged`),
    });
  },

  'notice.reopened'({ from, to, details }, setting) {
    // A withdrawn notice has no previous state.
    const had =
      from === null ? 'taken this notice down and shows it again' : 'ended this notice and has opened it again';
    return wordingOfNotice(
      `Open again: ${named(details.notice.subject)} — ${noticeClause(to, setting.by)}`,
      details,
      setting,
      {
        sentences: [`${capitalize(setting.by)} had ${had}.`, ...listNotes(details, setting)],
        facts: fact('State', changed(from === null ? null : noticeLabel(from), noticeLabel(to))),
      },
    );
  },

  'notice.closed'({ from, to, details }, setting, status) {
    // A notice without a state, such as general information, has none before its end either.
    if (from === null && status === 'info') return describeOverBeforeSeen(to, details, setting);
    const { headline, ...how } = ended(to, from, details, setting.by);
    return wordingOfNotice(headline, details, setting, {
      ...how,
      facts: fact('State', changed(noticeLabel(from), withWord(noticeLabel(to), details.notice.word))),
    });
  },

  'notice.withdrawn'({ from, details }, setting) {
    const { by } = setting;
    const planned = isPlanned(details);
    const subject = named(details.notice.subject);
    const known = planned
      ? `${capitalize(by)} has not said whether the work is called off or done.`
      : `${capitalize(by)} has not said that it is resolved, so we do not know whether it is.`;
    return wordingOfNotice(`Withdrawn by ${by}${planned ? '' : ', not resolved'}: ${subject}`, details, setting, {
      allClear: false,
      ending: planned ? 'Withdrawn' : NOT_RESOLVED,
      sentences: [`The notice is gone from the status page. ${known}`],
      facts: fact('Last state', noticeLabel(from)),
    });
  },

  'notice.unlisted'({ from, details }, setting) {
    const subject = named(details.notice.subject);
    const absent = `For ${span(details.milliseconds)} the page has not listed this notice.`;
    const isOver = details.verdict === 'over';
    return wordingOfNotice(`No longer listed${isOver ? '' : ', not known to be over'}: ${subject}`, details, setting, {
      allClear: false,
      ending: 'Ended, no longer listed',
      sentences: [absent, ...UNLISTED[details.verdict]],
      facts: fact('Last state', withWord(noticeLabel(from), details.notice.word)),
    });
  },

  'notice.replaced'({ from, to, details }, setting) {
    return wordingOfNotice(
      `Replaced by a new notice, same ${isPlanned(details) ? 'work' : 'incident'}: ${named(details.notice.subject)} — ${noticeClause(details.notice.state, setting.by)}`,
      details,
      setting,
      {
        sentences: [
          `${capitalize(setting.by)} has taken the old notice down and put up a new one for the same thing.`,
          ...listNotes(details, setting),
        ],
        facts: [...fact('State', noticeLabel(details.notice.state)), ...fact('Notice', changed(from, to))],
      },
    );
  },
};
