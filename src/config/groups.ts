/**
 * `shards`: the sources in groups, each watched by one member at a time. What has to be known together stays together: a
 * page with the accounts whose losses it may explain, and all that is asked of one origin, whose limit of requests holds
 * for all of it. Such a unit goes to a group by rendezvous hashing, as far as the group still has room: all members find
 * the same, whatever the order in their files.
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

/** As many groups as `shards` says; one may be empty. */
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

/** The configuration as far as it is of the sources of one group. */
export function selectGroup<Whole extends Divisible>(config: Whole, { sources }: Pick<SourceGroup, 'sources'>): Whole {
  const isOfIt = ({ name }: { name: string }): boolean => sources.includes(name);
  return { ...config, statusPages: config.statusPages.filter(isOfIt), accounts: config.accounts.filter(isOfIt) };
}

/** Two members may watch beside each other only where this is the same for both. */
export function toLayout(groups: readonly SourceGroup[]): string {
  return `groups/${groups.length}/${hashIdentity(
    'groups',
    groups.map(({ sources }) => sources),
  ).slice(0, 12)}`;
}

/** Names of sources that stay together, the largest unit first. */
export function listUnits({ statusPages, accounts }: Divisible): string[][] {
  const origins = [...statusPages, ...accounts].map(
    ({ name, baseUrl }) => [name, `origin ${originOf(baseUrl)}`] as const,
  );
  const names = listSourceNames({ statusPages, accounts });
  const pages = accounts.flatMap((account) => listPages(account).map((page) => [account.name, page] as const));
  const units = joinLinked(names, [...origins, ...pages]).map((unit) => unit.toSorted(compareTexts));
  return units.toSorted((a, b) => b.length - a.length || compareTexts(a[0], b[0]));
}

/** All pages whose trouble may explain what happens to an account, each once. */
export function listPages({ statusPage, statusPages, sitePages }: Config['accounts'][number]): string[] {
  return [...new Set([statusPage ?? [], statusPages, ...Object.values(sitePages)].flat())];
}

/** The names, in their order, with all that a chain of links leads to in one list. */
export function joinLinked(names: readonly string[], links: readonly (readonly [string, string])[]): string[][] {
  /** What each belongs with, up to the one that stands for all of them. */
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

/** Whichever member it is asked by, the greatest of all groups gets it. */
function weight(group: number, key: string | undefined): string {
  return hashIdentity('group', group, key);
}

function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}
