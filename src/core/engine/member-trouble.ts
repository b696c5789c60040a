/**
 * Troubles of members that share a database. Each is reported once, whichever member leads, and so is its end. Reported
 * troubles are saved in Linewatch's own state.
 */
import { capitalize, formatList } from '../text/plain.ts';

/** Limits for a readable sentence. */
const NAMED_SOURCES = 3;
const NAMED_PARTS = 5;
/** A larger difference of clocks is reported; a smaller one may be a slow response. */
export const CLOCKS_DIFFER_MS = 2_000;

export type MemberTrouble =
  /** The member no longer responds and was not stopped; `standingBy` are those that can take over. */
  | ({ kind: 'silent'; member: string; standingBy: readonly string[] } & Partial<Moved>)
  /** The member divides the sources into other shards than the leaders, and waits for them. */
  | { kind: 'layout'; member: string; others: readonly string[] }
  /** The member's configuration differs from that of the member that checks. */
  | { kind: 'configuration'; member: string; than: string; difference: ConfigDifference }
  /** The member's clock is ahead of the database's by this many milliseconds; negative if it is behind. */
  | { kind: 'clock'; member: string; aheadMs: number }
  /** The database's clock differs from those of all members. */
  | { kind: 'database clock'; aheadMs: number };

/** Differences of a configuration from another: sections such as `page carrier` and `route`. */
export interface ConfigDifference {
  lacks: readonly string[];
  adds: readonly string[];
  /** Sections that both have, with different content. */
  differs: readonly string[];
}

/** Shards of the silent member with their present leaders, and the remaining members. */
interface Moved {
  moved: readonly { shard: number; sources: readonly string[]; holder: string | null }[];
  others: readonly string[];
}

/** Members as the leader has seen them for long enough. */
export interface MembersObservation {
  kind: 'members';
  /** Names of all known members. */
  members: readonly string[];
  troubles: readonly MemberTrouble[];
  /** Keys of troubles that are certainly over. A trouble that is in neither list continues. */
  well: readonly string[];
}

/** Sentence for the end of each reported trouble, by `keyOf`. */
export type ReportedTroubles = Readonly<Record<string, string>>;

const DATABASE = 'database clock';

type EndedTrouble =
  | Exclude<MemberTrouble, { kind: 'silent' | 'layout' | 'configuration' }>
  | { kind: 'silent'; member: string }
  | { kind: 'layout'; member: string }
  | { kind: 'configuration'; member: string };

/** Stable key: the same for a trouble of a member, whichever member reports it. */
export function toTroubleKey(trouble: Pick<MemberTrouble, 'kind'> & { member?: string }): string {
  return trouble.kind === DATABASE ? DATABASE : `${trouble.kind} ${trouble.member}`;
}

/** Reported troubles that continue after this observation. */
export function updateReportedTroubles(
  reported: ReportedTroubles,
  { members, troubles, well }: MembersObservation,
): ReportedTroubles {
  const kept = Object.entries(reported).filter(([key]) => !well.includes(key) && isOf(key, members));
  const begun = troubles.filter((trouble) => reported[toTroubleKey(trouble)] === undefined);
  return Object.fromEntries([
    ...kept,
    ...begun.map((trouble) => [toTroubleKey(trouble), describeTroubleEnd(trouble)] as const),
  ]);
}

/** A member's name contains no space, so the first space ends the kind. */
function isOf(key: string, members: readonly string[]): boolean {
  return key === DATABASE || members.includes(key.slice(key.indexOf(' ') + 1));
}

/** Headline and sentence. */
export interface MembersNews {
  what: string;
  reason: string;
}

/** News about troubles that begin or end now. */
export function listMemberNews(
  reported: ReportedTroubles,
  { members, troubles, well }: MembersObservation,
): MembersNews[] {
  const over = Object.entries(reported).filter(([key]) => well.includes(key) && isOf(key, members));
  const begun = troubles.filter((trouble) => reported[toTroubleKey(trouble)] === undefined);
  return [...over.map(([key, said]) => ({ what: describeEnd(key), reason: said })), ...begun.map(describeBeginning)];
}

function describeEnd(key: string): string {
  if (key === DATABASE) return 'the clock of the database is right again';
  const [kind, member] = key.split(' ');
  if (kind === 'layout') return `${member} divides the sources like the others again`;
  if (kind === 'configuration') return `${member} has the same configuration again`;
  return kind === 'clock' ? `the clock of ${member} is right again` : `${member} is heard of again`;
}

/** The others cannot tell a member that is gone from one that is cut off and still sends requests. */
export function describeForgetting(member: string): string {
  return `If it is gone for good, "linewatch member forget ${member}" gives the others its part of the requests.`;
}

/** Sentence for the end of the trouble. */
export function describeTroubleEnd(trouble: EndedTrouble): string {
  switch (trouble.kind) {
    case 'silent':
      return 'It was not heard of for a time.';
    case 'layout':
      return 'It takes its share of the watch again.';
    case 'configuration':
      return 'It had another one for a time.';
    case 'clock':
      return `It was ${formatLead(trouble.aheadMs)} that of the database.`;
    case 'database clock':
      return `It was ${formatLead(-trouble.aheadMs)} those of all members.`;
  }
}

function describeBeginning(trouble: MemberTrouble): MembersNews {
  switch (trouble.kind) {
    case 'silent':
      return {
        what: `${trouble.member} is not heard of any more`,
        reason: `It was not stopped: look after it. ${describeStandBys(trouble)} ${describeForgetting(trouble.member)}`,
      };
    case 'layout':
      return {
        what: `${trouble.member} divides the sources otherwise than ${formatList(trouble.others, Infinity)}`,
        reason:
          'It leads nothing until all divide them alike or nobody else is left: give all members the same ' +
          'configuration, and reload those that have an older one.',
      };
    case 'configuration':
      return {
        what: `${trouble.member} has another configuration than ${trouble.than}`,
        reason: `${capitalize(describeDifference(trouble.difference))}. Give all members the same configuration, and reload them.`,
      };
    case 'clock':
      return {
        what: `the clock of ${trouble.member} is ${formatLead(trouble.aheadMs)} that of the database`,
        reason:
          'While it watches, hours, planned work and the times in messages are off by as much: see to its time service.',
      };
    case 'database clock':
      return {
        what: `the clock of the database is ${formatLead(-trouble.aheadMs)} those of all members`,
        reason: 'The watch goes on as it should, since leases are timed by one clock alone: see to its time service.',
      };
  }
}

/** `it lacks page p2; it adds account acme; route and receiver ops differ`. */
export function describeDifference({ lacks, adds, differs }: ConfigDifference): string {
  const parts = [
    ...(lacks.length === 0 ? [] : [`it lacks ${formatList(lacks, NAMED_PARTS)}`]),
    ...(adds.length === 0 ? [] : [`it adds ${formatList(adds, NAMED_PARTS)}`]),
    ...(differs.length === 0
      ? []
      : [`${formatList(differs, NAMED_PARTS)} ${differs.length === 1 ? 'differs' : 'differ'}`]),
  ];
  return parts.join('; ');
}

function describeStandBys(trouble: Extract<MemberTrouble, { kind: 'silent' }>): string {
  const { standingBy, moved, others } = trouble;
  if (moved !== undefined && others !== undefined) return [...moved.map(describeShard), describeRest(others)].join(' ');
  if (standingBy.length === 0) return 'Nobody stands by: if the one that watches fails, nobody takes over.';
  return `${standingBy.join(', ')} ${standingBy.length === 1 ? 'stands' : 'stand'} by.`;
}

/** `Shard 2 (provider, acme and 12 more) is led by two now.` */
function describeShard({ shard, sources, holder }: Moved['moved'][number]): string {
  const what = `Shard ${shard} (${formatList(sources, NAMED_SOURCES)})`;
  return holder === null ? `${what} is led by nobody.` : `${what} is led by ${holder} now.`;
}

function describeRest(others: readonly string[]): string {
  const [one, ...more] = others;
  if (one === undefined) return 'Nobody is left.';
  return more.length === 0
    ? `${one} is alone: if it fails, nobody takes over.`
    : `${formatList(others, Infinity)} go on.`;
}

/** `5 s ahead of`. */
function formatLead(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000)} s ${ms < 0 ? 'behind' : 'ahead of'}`;
}
