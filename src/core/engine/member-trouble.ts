/**
 * Trouble among the members that share a database: told once, whoever of them leads meanwhile, and its end. What is told
 * and not over is part of what is kept of Linewatch itself.
 */
import { capitalize, formatList } from '../text/plain.ts';

/** As many as leave a sentence readable. */
const NAMED_SOURCES = 3;
const NAMED_PARTS = 5;
/** What a clock has to be off to be wrong: more than a slow answer explains. */
export const CLOCKS_DIFFER_MS = 2_000;

export type MemberTrouble =
  /** It was not stopped, and is not heard of any more; who still stands by. */
  | ({ kind: 'silent'; member: string; standingBy: readonly string[] } & Partial<Regrouped>)
  /** It divides the sources otherwise than those that lead, and waits for them. */
  | { kind: 'layout'; member: string; others: readonly string[] }
  /** Its configuration is another than that of the member that looks. */
  | { kind: 'configuration'; member: string; than: string; difference: ConfigDifference }
  /** Its clock, and how far it is ahead of the database's in milliseconds; below 0 where it is behind. */
  | { kind: 'clock'; member: string; aheadMs: number }
  /** The database's own clock against those of all members. */
  | { kind: 'database clock'; aheadMs: number };

/** Parts of a configuration, such as `page carrier` and `route`, by what another one has of them. */
export interface ConfigDifference {
  lacks: readonly string[];
  adds: readonly string[];
  /** Present in both, and not alike. */
  differs: readonly string[];
}

/** Where the members share the sources: what the one that is silent has led, and who leads it now; and who is left. */
interface Regrouped {
  moved: readonly { group: number; sources: readonly string[]; holder: string | null }[];
  others: readonly string[];
}

/** How the members stand, as the one that leads has seen it for long enough. */
export interface MembersSeen {
  kind: 'members';
  /** All that are known. */
  members: readonly string[];
  troubles: readonly MemberTrouble[];
  /** What is certainly not so now. What is neither here nor there is as it was. */
  well: readonly string[];
}

/** By `keyOf` the trouble: the sentence that is said at its end. */
export type TroublesTold = Readonly<Record<string, string>>;

const DATABASE = 'database clock';

type Said =
  | Exclude<MemberTrouble, { kind: 'silent' | 'layout' | 'configuration' }>
  | { kind: 'silent'; member: string }
  | { kind: 'layout'; member: string }
  | { kind: 'configuration'; member: string };

/** The same for the same trouble of the same member, whoever sees it and whenever. */
export function keyOf(trouble: Pick<MemberTrouble, 'kind'> & { member?: string }): string {
  return trouble.kind === DATABASE ? DATABASE : `${trouble.kind} ${trouble.member}`;
}

/** What is told and not over after this. */
export function toldAfter(told: TroublesTold, { members, troubles, well }: MembersSeen): TroublesTold {
  const kept = Object.entries(told).filter(([key]) => !well.includes(key) && isOf(key, members));
  const begun = troubles.filter((trouble) => told[keyOf(trouble)] === undefined);
  return Object.fromEntries([...kept, ...begun.map((trouble) => [keyOf(trouble), saidOf(trouble)] as const)]);
}

/** The name of a member may hold anything but a blank. */
function isOf(key: string, members: readonly string[]): boolean {
  return key === DATABASE || members.includes(key.slice(key.indexOf(' ') + 1));
}

/** What is said of it: a headline, and a sentence. */
export interface MembersNews {
  what: string;
  reason: string;
}

/** What of it was not told yet. */
export function newsOf(told: TroublesTold, { members, troubles, well }: MembersSeen): MembersNews[] {
  const over = Object.entries(told).filter(([key]) => well.includes(key) && isOf(key, members));
  const begun = troubles.filter((trouble) => told[keyOf(trouble)] === undefined);
  return [...over.map(([key, said]) => ({ what: endOf(key), reason: said })), ...begun.map(beginning)];
}

function endOf(key: string): string {
  if (key === DATABASE) return 'the clock of the database is right again';
  const [kind, member] = key.split(' ');
  if (kind === 'layout') return `${member} divides the sources like the others again`;
  if (kind === 'configuration') return `${member} has the same configuration again`;
  return kind === 'clock' ? `the clock of ${member} is right again` : `${member} is heard of again`;
}

/** The sentence for the end of the trouble. */
export function saidOf(trouble: Said): string {
  switch (trouble.kind) {
    case 'silent':
      return 'It was not heard of for a time.';
    case 'layout':
      return 'It takes its share of the watch again.';
    case 'configuration':
      return 'It had another one for a time.';
    case 'clock':
      return `It was ${away(trouble.aheadMs)} that of the database.`;
    case 'database clock':
      return `It was ${away(-trouble.aheadMs)} those of all members.`;
  }
}

function beginning(trouble: MemberTrouble): MembersNews {
  switch (trouble.kind) {
    case 'silent':
      return {
        what: `${trouble.member} is not heard of any more`,
        reason: `It was not stopped: look after it. ${whoIsLeft(trouble)}`,
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
        reason: `${capitalize(differenceText(trouble.difference))}. Give all members the same configuration, and reload them.`,
      };
    case 'clock':
      return {
        what: `the clock of ${trouble.member} is ${away(trouble.aheadMs)} that of the database`,
        reason:
          'While it watches, hours, planned work and the times in messages are off by as much: see to its time service.',
      };
    case 'database clock':
      return {
        what: `the clock of the database is ${away(-trouble.aheadMs)} those of all members`,
        reason: 'The watch goes on as it should, since leases are timed by one clock alone: see to its time service.',
      };
  }
}

/** `it lacks page p2; it adds account acme; route and receiver ops differ`. */
export function differenceText({ lacks, adds, differs }: ConfigDifference): string {
  const parts = [
    ...(lacks.length === 0 ? [] : [`it lacks ${formatList(lacks, NAMED_PARTS)}`]),
    ...(adds.length === 0 ? [] : [`it adds ${formatList(adds, NAMED_PARTS)}`]),
    ...(differs.length === 0
      ? []
      : [`${formatList(differs, NAMED_PARTS)} ${differs.length === 1 ? 'differs' : 'differ'}`]),
  ];
  return parts.join('; ');
}

function whoIsLeft(trouble: Extract<MemberTrouble, { kind: 'silent' }>): string {
  const { standingBy, moved, others } = trouble;
  if (moved !== undefined && others !== undefined) return [...moved.map(whereIs), whoGoesOn(others)].join(' ');
  if (standingBy.length === 0) return 'Nobody stands by: if the one that watches fails, nobody takes over.';
  return `${standingBy.join(', ')} ${standingBy.length === 1 ? 'stands' : 'stand'} by.`;
}

/** `Group 2 (provider, acme and 12 more) is led by two now.` */
function whereIs({ group, sources, holder }: Regrouped['moved'][number]): string {
  const what = `Group ${group} (${formatList(sources, NAMED_SOURCES)})`;
  return holder === null ? `${what} is led by nobody.` : `${what} is led by ${holder} now.`;
}

function whoGoesOn(others: readonly string[]): string {
  const [one, ...more] = others;
  if (one === undefined) return 'Nobody is left.';
  return more.length === 0
    ? `${one} is alone: if it fails, nobody takes over.`
    : `${formatList(others, Infinity)} go on.`;
}

/** `5 s ahead of`. */
function away(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000)} s ${ms < 0 ? 'behind' : 'ahead of'}`;
}
