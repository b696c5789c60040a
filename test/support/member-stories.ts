/** Messages about the members that share a database, from the code that detects their causes. */
import {
  type MembersObservation,
  listMemberNews,
  updateReportedTroubles,
} from '../../src/core/engine/member-trouble.ts';
import { listTakeoverEvents } from '../../src/daemon/members/takeover-events.ts';
import { change, message, NOW } from './messages.ts';
import type { Story } from './stories.ts';

const LEASE_MS = 6_000;

const SILENT: MembersObservation = {
  kind: 'members',
  members: ['one', 'two', 'three'],
  troubles: [{ kind: 'silent', member: 'two', standingBy: ['three'] }],
  well: [],
};
const CLOCK: MembersObservation = {
  ...SILENT,
  troubles: [{ kind: 'clock', member: 'two', aheadMs: -4_600 }],
};

const OTHERWISE: MembersObservation = {
  ...SILENT,
  troubles: [{ kind: 'layout', member: 'two', others: ['one', 'three'] }],
};

function alone(what: string, reason: string): Story {
  const content = { from: null, to: what, details: { reason } };
  const told = change('linewatch.state', 'linewatch', content, 'info', NOW, 'linewatch');
  return {
    message: message([told], { number: null, source: 'linewatch', severity: 'info', title: 'Linewatch' }),
    now: NOW,
  };
}

function newsStory(before: MembersObservation | null, seen: MembersObservation): Story {
  const told = before === null ? {} : updateReportedTroubles({}, before);
  const [news] = listMemberNews(told, seen);
  if (news === undefined) throw new Error('nothing is told');
  return alone(news.what, news.reason);
}

function lateStory(): Story {
  const [event] = listTakeoverEvents({
    taken: { former: 'one/x', unledMs: 40_000, hasLapsed: true },
    view: { self: 'two', leader: 'two', isCutOff: false, all: [] },
    shard: { number: 1, sources: ['provider'] },
    leaseMs: LEASE_MS,
  });
  if (event?.kind !== 'leader') throw new Error('nothing is told');
  const { from, to, reason } = event;
  const told = change('linewatch.leader', 'linewatch', { from, to, details: { reason } }, 'info', NOW, 'linewatch');
  return {
    message: message([told], { number: null, source: 'linewatch', severity: 'info', title: 'Linewatch' }),
    now: NOW,
  };
}

export const MEMBER_STORIES: Readonly<Record<string, () => Story>> = {
  'leader-replaced-late': lateStory,
  'member-silent': () => newsStory(null, SILENT),
  'member-heard-again': () => newsStory(SILENT, { ...SILENT, troubles: [], well: ['silent two'] }),
  'member-clock-wrong': () => newsStory(null, CLOCK),
  'member-divides-otherwise': () => newsStory(null, OTHERWISE),
  'member-divides-alike-again': () => newsStory(OTHERWISE, { ...OTHERWISE, troubles: [], well: ['layout two'] }),
};
