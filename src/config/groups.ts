/**
 * `shards`: divides the sources into groups, each watched by one member at a time. Sources that depend on each other
 * stay together: a page with the accounts whose losses it may explain, and all sources of one origin with its shared
 * rate limit. Such units are assigned by rendezvous hashing within the capacity of a group, so that all members agree
 * whatever the order in their files.
 */
import { compareTexts } from '../core/text/plain.ts';
import { append } from '../core/transition/collections.ts';
import { hashIdentity } from '../core/transition/transition.ts';
import { listSourceNames, type Config } from './config.ts';

export interface SourceGroup {
  /** From 1. */
  number: number;
  /** Names of pages and accounts, sorted. */
  sources: readonly string[];
}

type Divisible = Pick<Config, 'statusPages' | 'accounts'>;

/** Exactly `shards` groups; some may be empty. */
export function splitSources(config: Divisible, shards: number): SourceGroup[] {
  const groups = Array.from({ length: shards }, (_, index) => ({ number: index + 1, sources: [] as string[] }));
  const units = listUnits(config);
  const room = Math.ceil(units.reduce((sum, unit) => sum + unit.length, 0) / shards);
  for (const unit of units) {
    const [key] = unit;
    const wanted = groups.toSorted((a, b) => compareTexts(weight(b.number, key), weight(a.number, key)));
    const free = wanted.find(({ sources }) => sources.length + unit.length <= room);
    const emptiest = wanted.toSorted((a, b) => a.sources.length - b.sources.length)[0];
    const group = free ?? emptiest;
    if (group !== undefined) append(group.sources, unit);
  }
  return groups.map(({ number, sources }) => ({ number, sources: sources.toSorted(compareTexts) }));
}

/** The configuration restricted to one group's sources. */
export function selectGroup<Whole extends Divisible>(config: Whole, { sources }: Pick<SourceGroup, 'sources'>): Whole {
  const isOfIt = ({ name }: { name: string }): boolean => sources.includes(name);
  return { ...config, statusPages: config.statusPages.filter(isOfIt), accounts: config.accounts.filter(isOfIt) };
}

/** Members may share an installation only if this is equal. */
export function toLayout(groups: readonly SourceGroup[]): string {
  return `groups/${groups.length}/${hashIdentity(
    'groups',
    groups.map(({ sources }) => sources),
  ).slice(0, 12)}`;
}

/** Names of sources that stay together, largest unit first. */
export function listUnits({ statusPages, accounts }: Divisible): string[][] {
  const origins = [...statusPages, ...accounts].map(
    ({ name, baseUrl }) => [name, `origin ${originOf(baseUrl)}`] as const,
  );
  const names = listSourceNames({ statusPages, accounts });
  const pages = accounts.flatMap((account) => listPages(account).map((page) => [account.name, page] as const));
  const units = joinLinked(names, [...origins, ...pages]).map((unit) => unit.toSorted(compareTexts));
  return units.toSorted((a, b) => b.length - a.length || compareTexts(a[0], b[0]));
}

/** Pages that may explain an account's losses, without duplicates. */
export function listPages({ statusPage, statusPages, sitePages }: Config['accounts'][number]): string[] {
  return [...new Set([statusPage ?? [], statusPages, ...Object.values(sitePages)].flat())];
}

/** Connected components of the links, in the order of the names. */
export function joinLinked(names: readonly string[], links: readonly (readonly [string, string])[]): string[][] {
  /** Parent in the union-find forest. */
  const above = new Map<string, string>();
  const top = (one: string): string => {
    const next = above.get(one);
    return next === undefined ? one : top(next);
  };
  for (const [one, other] of links) {
    const [a, b] = [top(one), top(other)];
    if (a !== b) above.set(a, b);
  }
  return [...Map.groupBy(names, top).values()];
}

/** The group with the greatest weight gets the unit, on every member. */
function weight(group: number, key: string | undefined): string {
  return hashIdentity('group', group, key);
}

function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}
