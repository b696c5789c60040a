/** Finds the common cause of losses: a site, model or firmware, or the account. */
import { findMaximum } from '../../transition/collections.ts';
import { isMass, type Census } from '../census.ts';
import { ACCOUNT, type Domain } from '../domain.ts';
import type { MassSettings } from '../settings.ts';
import type { PhoneMemory } from '../account-snapshot.ts';
import { findMissingStart, type LossEvidence } from './evidence.ts';
import {
  ACCOUNT_SHARE,
  ACCOUNT_WITHIN_MS,
  CONTRAST,
  COVERED,
  MOSTLY_OUT,
  NAMED_BELOW,
  SITES_AT_ONCE,
} from './loss-rules.ts';

export interface LossCause {
  domain: Domain;
  /** Probability that random losses in the account fall like this; 1 without evidence against it. */
  chance: number;
}

interface Candidate extends LossCause {
  hit: number;
  standing: number;
  /** Quality of the match: lost phones of the domain, relative to all that are lost or in it. */
  fit: number;
}

const KINDS = ['site', 'firmware', 'model', 'account'];

/** The events that explain these losses, at most a few; none unless they are a mass loss. */
export function findCauses(evidence: LossEvidence, census: Census, mass: MassSettings): LossCause[] {
  const sites = census.allSites();
  const [only] = sites;
  // With a single site there is no comparison and no other explanation.
  if (only !== undefined && sites.length === 1) {
    const named = single(evidence, census, mass).filter(({ domain }) => domain.kind !== 'site');
    if (named.length > 0) return named;
    const { total } = census.count(only);
    const hit = evidence.lost.filter((phone) => census.belongs(phone, only)).length;
    return isMass({ hit, total }, mass) ? [{ domain: only, chance: 1 }] : [];
  }
  const named = single(evidence, census, mass);
  const rest = without(evidence, named, census);
  if (named.length > 0 && isCovered(rest, evidence, mass)) return named;
  const several = severalSites(evidence, census, mass);
  if (several.length > 0) return several;
  const everyone = census.count(ACCOUNT).total;
  if (!isMassOfAll(evidence.lost, everyone, mass)) return named;
  if (named.length === 0) return areAtOneSite(evidence, census) ? [] : [{ domain: ACCOUNT, chance: 1 }];
  const elsewhere = without({ lost: [...census.phones], going: [], standing: [] }, named, census).lost.length;
  return isMassOfAll(rest.lost, elsewhere, mass) ? [...named, { domain: ACCOUNT, chance: 1 }] : named;
}

/** While only one site loses phones, it is too early to exclude it as the cause. */
function areAtOneSite({ lost, going }: LossEvidence, census: Census): boolean {
  const sites = new Set([...lost, ...going].map((phone) => census.siteOf(phone)?.key ?? phone.extension));
  return sites.size === 1;
}

function isMassOfAll(lost: readonly PhoneMemory[], total: number, mass: MassSettings): boolean {
  const newest = findMaximum(lost.map(findMissingStart));
  const soon = lost.filter((phone) => newest - findMissingStart(phone) <= ACCOUNT_WITHIN_MS);
  const isHalf = lost.length >= ACCOUNT_SHARE * total;
  const hit = isHalf ? lost.length : soon.length;
  // A few phones of a small account are lost together by chance: the smallest mass must be half of it.
  return isMass({ hit, total }, mass) && (isHalf || hit > mass.count);
}

/** Causes in order, each for losses that earlier ones do not explain. */
function single(evidence: LossEvidence, census: Census, mass: MassSettings): LossCause[] {
  const named: LossCause[] = [];
  let left = evidence;
  while (named.length < SITES_AT_ONCE && left.lost.length >= mass.count) {
    const best = candidates(left, census, mass).filter(isNamed(left, census)).toSorted(byFit)[0];
    if (best === undefined) break;
    named.push({ domain: best.domain, chance: best.chance });
    left = without(left, [best], census);
  }
  return named;
}

function candidates({ lost, going, standing }: LossEvidence, census: Census, mass: MassSettings): Candidate[] {
  const hits = census.tally([...lost, ...going]);
  const lostCounts = census.tally(lost);
  const up = census.tally(standing);
  const drawn = lost.length + going.length;
  const possible = [...hits.values()].filter(({ domain }) => domain.kind !== 'account');
  return possible.flatMap(({ domain, count: hit }) => {
    const { total } = census.count(domain);
    if (!isMass({ hit: lostCounts.get(domain.key)?.count ?? 0, total }, mass)) return [];
    const standingHere = up.get(domain.key)?.count ?? 0;
    const chance = computeHitChance(drawn + standing.length, hit + standingHere, drawn, hit);
    // The more candidates there are, the likelier one of them is hit by chance.
    const tries = census.countOf(domain.kind, mass.count);
    return [
      { domain, hit, standing: standingHere, chance: Math.min(1, chance * tries), fit: hit / (drawn + total - hit) },
    ];
  });
}

function isNamed({ lost, going, standing }: LossEvidence, census: Census): (candidate: Candidate) => boolean {
  const drawn = lost.length + going.length;
  return ({ domain, hit, standing: standingHere, chance }) => {
    if (domain.kind === 'site') {
      const isWhollyOut = hit === census.count(domain).total && hit === drawn;
      return chance < NAMED_BELOW || isWhollyOut;
    }
    return chance < NAMED_BELOW && standing.length - standingHere >= CONTRAST;
  };
}

/** Sites that are mostly offline and have nearly all losses, while others are registered. */
function severalSites(evidence: LossEvidence, census: Census, mass: MassSettings): LossCause[] {
  const { lost, going, standing } = evidence;
  const drawn = lost.length + going.length;
  const out = candidates(evidence, census, mass)
    .filter(({ domain, hit, standing: up }) => domain.kind === 'site' && hit >= MOSTLY_OUT * (hit + up))
    .toSorted((a, b) => b.hit - a.hit);
  for (let count = 2; count <= Math.min(SITES_AT_ONCE, out.length); count += 1) {
    const some = out.slice(0, count);
    const hit = some.reduce((sum, each) => sum + each.hit, 0);
    const up = some.reduce((sum, each) => sum + each.standing, 0);
    if (hit < COVERED * drawn) continue;
    const chance =
      computeHitChance(drawn + standing.length, hit + up, drawn, hit) * choices(census.allSites().length, count);
    if (chance < NAMED_BELOW) return some.map(({ domain }) => ({ domain, chance: Math.min(1, chance) }));
  }
  return [];
}

function choices(of: number, some: number): number {
  let all = 1;
  for (let index = 0; index < some; index += 1) all = (all * (of - index)) / (index + 1);
  return Math.max(1, all);
}

function isCovered(rest: LossEvidence, all: LossEvidence, mass: MassSettings): boolean {
  const left = rest.lost.length + rest.going.length;
  return left < mass.count || left <= (1 - COVERED) * (all.lost.length + all.going.length);
}

/** The evidence without phones of these domains. */
export function without(evidence: LossEvidence, named: readonly { domain: Domain }[], census: Census): LossEvidence {
  const isElsewhere = (phone: PhoneMemory): boolean => !named.some(({ domain }) => census.belongs(phone, domain));
  return {
    lost: evidence.lost.filter(isElsewhere),
    going: evidence.going.filter(isElsewhere),
    standing: evidence.standing.filter(isElsewhere),
  };
}

/** Probability that random losses in the account hit this domain at least as hard. */
export function computeDomainChance({ lost, going, standing }: LossEvidence, domain: Domain, census: Census): number {
  const within = (phone: PhoneMemory): boolean => census.belongs(phone, domain);
  const hits = [...lost, ...going];
  const hit = hits.filter(within).length;
  return computeHitChance(hits.length + standing.length, hit + standing.filter(within).length, hits.length, hit);
}

function byFit(a: Candidate, b: Candidate): number {
  return b.fit - a.fit || KINDS.indexOf(a.domain.kind) - KINDS.indexOf(b.domain.kind);
}

/**
 * Probability that, if `drawn` of `population` phones are lost at random, at least `hit` of them are among the `marked`
 * ones (the tail of the hypergeometric distribution).
 */
export function computeHitChance(population: number, marked: number, drawn: number, hit: number): number {
  const most = Math.min(marked, drawn);
  const fewest = Math.max(0, drawn + marked - population);
  if (hit <= fewest) return 1;
  if (hit > most) return 0;
  // Each term follows from the previous one, which avoids factorials.
  let term = Math.exp(
    logChoose(marked, hit) + logChoose(population - marked, drawn - hit) - logChoose(population, drawn),
  );
  let sum = 0;
  for (let count = hit; count <= most; count += 1) {
    sum += term;
    term *= ((marked - count) * (drawn - count)) / ((count + 1) * (population - marked - drawn + count + 1));
  }
  return Math.min(1, sum);
}

function logChoose(of: number, some: number): number {
  let sum = 0;
  const few = Math.min(some, of - some);
  for (let index = 1; index <= few; index += 1) sum += Math.log((of - few + index) / index);
  return sum;
}
