/** Readiness: Linewatch reads every source, reaches every receiver and can save its state. */
import { formatList, toOneLine, formatCount } from '../text/plain.ts';
import { formatElapsed } from '../wording/time.ts';
import { isLate } from './verdict/known.ts';
import type { MembersView, SystemStatus, ReceiverView, SourceView } from './system-status.ts';
import { MINUTE } from '../text/duration.ts';

/** A receiver with failures for this long is stuck, though it may still recover. */
export const STUCK_AFTER_MS = 10 * MINUTE;
/** More names would make a line unreadable. */
const NAMED_SOURCES = 3;

/** Reasons against readiness, a sentence each; empty when it is ready. */
export function listUnreadyReasons({ sources, receivers, unsaved, now, members }: SystemStatus): string[] {
  return [
    ...(isTooOld(members) ? ['members: a newer Linewatch has led, and this one is too old to take over'] : []),
    ...(members?.isOtherwise === true ? [OTHERWISE] : []),
    ...(isPaused(members) ? [PAUSED] : []),
    ...(members?.leader === null ? [`members: ${describeLeader(members)}`] : unled(members)),
    ...sources.filter(isLate).map(unread),
    ...receivers.flatMap((receiver) => stuck(receiver, now)),
    ...unsaved.map((document) => `state of ${toOneLine(document)}: it cannot be saved; alerts go out from memory`),
  ];
}

function isTooOld(members: MembersView | null): boolean {
  return members?.all.some(({ name, standing }) => name === members.self && standing === 'too old') === true;
}

function isPaused(members: MembersView | null): boolean {
  return members?.all.some(({ name, standing }) => name === members.self && standing === 'paused') === true;
}

const PAUSED =
  'members: this one sends nothing for now, since the database does not answer and another member may lead by now';
const OTHERWISE =
  'members: others lead with another division of the sources; reload all of them with the same configuration';

/** Shards without a leader. */
function unled(members: MembersView | null): string[] {
  const all = members?.shards?.filter(({ holder, sources }) => holder === null && sources.length > 0) ?? [];
  return all.map(
    ({ shard, sources }) => `members: nobody leads shard ${shard} (${formatList(sources, NAMED_SOURCES)})`,
  );
}

/** For people, without a full stop. */
export function describeLeader({
  leader,
  isCutOff,
  refusal,
}: Pick<MembersView, 'leader' | 'isCutOff' | 'refusal'>): string {
  if (leader !== null) return `${leader} leads`;
  if (!isCutOff) return 'nobody leads';
  const why = refusal === undefined ? ', since the database does not answer' : `: ${refusal.replace(/\.$/, '')}`;
  return `who leads is not known${why}`;
}

/** Another member leads: the leader's view of sources and receivers counts. */
export function isStandingBy({ members }: Pick<SystemStatus, 'members'>): boolean {
  return members !== null && members.leader !== members.self;
}

function unread({ name, lastReadAt, unreadMs, unreadAfterMs, blind }: SourceView): string {
  const why = blind.length === 0 ? '' : `: ${toOneLine(blind.join('; '))}`;
  if (lastReadAt === null) return `source ${name}: not read in full since the start${why}`;
  return `source ${name}: last read in full ${formatElapsed(unreadMs)} ago, and ${formatElapsed(unreadAfterMs)} is the limit${why}`;
}

/** A receiver removed from the configuration gets no messages, so it cannot be stuck. */
function stuck({ name, isRemoved, failing, refused, refusal }: ReceiverView, now: number): string[] {
  if (isRemoved) return [];
  if (refused > 0) {
    return [
      `receiver ${name}: refused ${formatCount(refused, 'message')}${refusal === null ? '' : `: ${toOneLine(refusal)}`}`,
    ];
  }
  if (failing === null || now - failing.since <= STUCK_AFTER_MS) return [];
  return [`receiver ${name}: failing for ${formatElapsed(now - failing.since)}: ${toOneLine(failing.reason)}`];
}

/** True if another member takes over as soon as this one ends. */
export function isFollowed({ self, all }: MembersView): boolean {
  return all.some(({ name, standing }) => name !== self && (standing === 'standing by' || standing === 'leading'));
}
