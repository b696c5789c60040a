/** What every message about a notice says, whatever happened to it. */
import type { NoticeDetails } from '../transition/details.ts';
import { link } from './link.ts';
import { noticeClause } from './state.ts';
import { instant } from './time.ts';
import {
  atAGlance,
  fact,
  list,
  named,
  quotes,
  windowFact,
  wording,
  type Fact,
  type List,
  type Setting,
  type Wording,
} from './wording.ts';

export function isPlanned(details: NoticeDetails): boolean {
  return details.notice.type === 'planned';
}

export function isTrouble(details: NoticeDetails): boolean {
  return details.notice.type === 'unplanned';
}

function window(details: NoticeDetails, setting: Setting): Fact[] {
  const { begins_at, ends_at } = details.notice;
  if (begins_at === null && ends_at === null) return [];
  return atAGlance([windowFact('Window', { begins_at, ends_at }, setting)]);
}

function affected(details: NoticeDetails): List[] {
  const names = (details.components ?? []).map((component) => named(component.name));
  return list('Affects', names).map((one) => ({ ...one, affected: true }));
}

function unknownReach(details: NoticeDetails): Fact[] {
  if (details.components === null) return fact('Affects', 'not known yet');
  return details.components.length === 0 ? fact('Affects', 'the provider names no component') : [];
}

/** The provider’s own start and end. */
export function ownTimes(details: NoticeDetails): Pick<Wording, 'since' | 'until'> {
  return { since: instant(details.notice.began_at), until: instant(details.notice.ended_at) };
}

/** The wording of a change of a notice: its own `facts` and `sentences` first, then what all of them share. */
export function noticeHeadline(
  headline: string,
  details: NoticeDetails,
  setting: Setting,
  own: Partial<Wording>,
): Wording {
  return wording(headline, named(details.notice.subject), {
    // Planned work is known long before it begins; how long it takes is the provider’s to say.
    ...(isPlanned(details) ? { ending: 'Over', ...ownTimes(details) } : {}),
    ...own,
    standing: noticeClause(details.notice.state),
    begun: !isPlanned(details) || details.notice.began_at !== null || details.notice.state === 'underway',
    facts: [...(own.facts ?? []), ...window(details, setting), ...unknownReach(details)],
    lists: [...(own.lists ?? []), ...affected(details)],
    words: own.words ?? quotes(details.updates, setting),
    links: link('Provider’s notice', details.notice.url),
  });
}
