/**
 * The sources in shards, each watched by one member at a time. A unit stays together: a page with the accounts whose losses
 * it may explain, and all sources of one origin, whose limit of requests holds for all of them. A unit goes to a shard by
 * rendezvous hashing, as far as the shard still has room: all members find the same, whatever the order in their files.
 */
import { compareTexts } from '../core/text/plain.ts';
import { append } from '../core/transition/collections.ts';
import { hashIdentity } from '../core/transition/transition.ts';
import { listSourceNames, type Config } from './config.ts';

export interface SourceShard {
  /** From 1. */
  number: number;
  /** Names of pages and accounts, sorted. */
  sources: readonly string[];
}

type Divisible = Pick<Config, 'statusPages' | 'accounts'>;

/** As many as `count` says; one may be empty. */
export function splitSources(config: Divisible, count: number): SourceShard[] {
  const shards = Array.from({ length: count }, (_, index) => ({ number: index + 1, sources: [] as string[] }));
  const units = listUnits(config);
  const room = Math.ceil(units.reduce((sum, unit) => sum + unit.length, 0) / count);
  for (const unit of units) {
    const [key] = unit;
    const wanted = shards.toSorted((a, b) => compareTexts(weight(b.number, key), weight(a.number, key)));
    const free = wanted.find(({ sources }) => sources.length + unit.length <= room);
    const emptiest = wanted.toSorted((a, b) => a.sources.length - b.sources.length)[0];
    const shard = free ?? emptiest;
    if (shard !== undefined) append(shard.sources, unit);
  }
  return shards.map(({ number, sources }) => ({ number, sources: sources.toSorted(compareTexts) }));
}

/** The configuration with the sources of one shard alone. */
export function selectShard<Whole extends Divisible>(config: Whole, { sources }: Pick<SourceShard, 'sources'>): Whole {
  const isOfIt = ({ name }: { name: string }): boolean => sources.includes(name);
  return { ...config, statusPages: config.statusPages.filter(isOfIt), accounts: config.accounts.filter(isOfIt) };
}

/** Two members may watch beside each other only where this is the same for both. Null for one shard, which is all. */
export function toLayout(shards: readonly SourceShard[]): string | null {
  if (shards.length === 1) return null;
  const sources = shards.map((shard) => shard.sources);
  return `groups/${shards.length}/${hashIdentity('groups', sources).slice(0, 12)}`;
}

/** A hash of the sources of each shard, in the order of their numbers. */
export function hashShards(shards: readonly SourceShard[]): string[] {
  return shards.map(({ sources }) => hashIdentity('shard', sources).slice(0, 12));
}

/**
 * Numbers of the shards that have other sources by the hashes of another layout. The first is always among them: it keeps
 * the state of removed sources. All where the number of shards differs, or `before` is not known.
 */
export function findChangedShards(before: readonly string[] | null, after: readonly string[]): number[] {
  const isSame = (index: number): boolean => before?.length === after.length && before[index] === after[index];
  return after.flatMap((_hash, index) => (index > 0 && isSame(index) ? [] : [index + 1]));
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

/** Whichever member it is asked by, the findMaximum of all shards gets it. */
function weight(shard: number, key: string | undefined): string {
  return hashIdentity('group', shard, key);
}

function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}
