/**
 * Judges a night by what people were told. It knows the truth and reads what was said, in the words and details that
 * leave the house; how Linewatch came by them it does not know.
 */
import {
  accusationsOf,
  alarmsOf,
  contradictionsOf,
  endsOf,
  falseAllClears,
  GRACE_MS,
  residualOf,
  silentGrowth,
  suspicionsOf,
} from './breaches.ts';
import { causesFirst, certaintyFalls } from './certainty.ts';
import { alertsOf, claimAt, claimsOf, extensionsIn, type AlertOf, type Claim, type Claims } from './claims.ts';
import { goneAt, type Cause, type Culprit, type Night } from './night.ts';
import type { Read, Told } from './play.ts';
import { HOUR, isOut, SECOND, type Phone } from './town.ts';
import { faultsOfWords, WORD_FAULTS, type WordFaults } from './words.ts';

/** Whom a message makes responsible. */
export const CLAIMS = [
  'site',
  'other site',
  'device',
  'other device',
  'phone',
  'account',
  'provider',
  'nothing',
] as const;
export type ClaimKind = (typeof CLAIMS)[number];

export interface Verdict {
  culprit: Culprit;
  customer: string;
  decidable: boolean;
  claim: ClaimKind;
  right: boolean;
  /** From the first phone gone until somebody read of one of them; null for never. */
  toldAfterMs: number | null;
  /** Some of it was out for long, and nobody read of any. */
  isUntold: boolean;
  /** One cause over many customers counts once. */
  weight: number;
}

export interface Judgement {
  kind: string;
  seed: number;
  isNoise: boolean;
  verdicts: Verdict[];
  /** The most within a night: what is learned over days takes several. */
  messages: number;
  /** The same of the receiver of each customer, and whose it is. */
  ofCustomers: readonly { customer: string; messages: number }[];
  /** Messages about phones in a night of noise. */
  falseAlarms: string[];
  falseAllClears: string[];
  /** A router or a line is blamed for the provider's outage, after the first ten minutes. */
  accusations: string[];
  /** The provider is blamed for what is not his. */
  suspicions: string[];
  contradictions: string[];
  /** A thread is less sure of its cause than it was. */
  certaintyFalls: string[];
  /** A message about phones names the cause before what is lost. */
  causesFirst: string[];
  /** Half of the peak was read of too late, or never. */
  silentGrowth: string[];
  /** From the last phone back until the end is read. */
  endedAfterMs: number[];
  residual: { expected: number; told: number };
  /** What is wrong in what each reader reads, by inbox. */
  words: WordFaults;
  isProviders: boolean;
}

export function judge(night: Night, all: Told): Judgement {
  // What is told after the night belongs to no truth of ours.
  const told = {
    ...all,
    read: all.read.filter(({ at }) => at <= night.end),
    heard: all.heard.filter(({ at }) => at <= night.end),
  };
  const providerAlerts = new Set(
    told.heard.flatMap(({ alert, kind }) =>
      alert !== null && /^(notice|component|page)\./.test(kind) ? [alert.id] : [],
    ),
  );
  const claims = claimsOf(told.read, providerAlerts);
  const alertOf = alertsOf(told.heard);
  const verdicts = night.causes.map((cause) => verdictOf(night, cause, told.read, claims, alertOf));
  const inboxes = [told.read, ...[...all.inboxes.values()].map((inbox) => inbox.filter(({ at }) => at <= night.end))];
  const isProviders = night.causes.some(({ culprit }) => culprit === 'provider');
  return {
    kind: night.kind,
    seed: night.seed,
    isNoise: night.isNoise,
    verdicts,
    messages: mostInANight(told.read.filter(({ changes }) => changes.some(({ kind }) => kind !== 'source.baseline'))),
    ofCustomers: [...all.inboxes].map(([customer, inbox]) => ({
      customer,
      messages: mostInANight(inbox.filter(({ at }) => at <= night.end)),
    })),
    falseAlarms: night.isNoise ? alarmsOf(told.read, night) : [],
    falseAllClears: falseAllClears(night, told, alertOf),
    accusations: isProviders ? accusationsOf(night, claims, alertOf) : [],
    suspicions: isProviders ? [] : suspicionsOf(claims, night),
    contradictions: contradictionsOf(claims),
    certaintyFalls: inboxes.flatMap(certaintyFalls),
    causesFirst: inboxes.flatMap(causesFirst),
    silentGrowth: night.customers.flatMap((of) => silentGrowth(night, of, told.read)),
    endedAfterMs: endsOf(night, told),
    residual: residualOf(night, told.read),
    words: wordsOf(night, all),
    isProviders,
  };
}

const NIGHT_MS = 12 * HOUR;

function mostInANight(read: readonly Read[]): number {
  return Math.max(0, ...read.map(({ at: from }) => read.filter(({ at }) => at >= from && at < from + NIGHT_MS).length));
}

/** Whoever serves all of them, and each customer by itself where there are several. */
function wordsOf(night: Night, { read, inboxes }: Told): WordFaults {
  const names = night.customers.map(({ name }) => name);
  const readers = [
    ['duty', read, new Set(names)] as const,
    ...(names.length > 1 ? [...inboxes].map(([name, inbox]) => [name, inbox, new Set([name])] as const) : []),
  ];
  const found = readers.map(([reader, inbox, own]) => ({ reader, faults: faultsOfWords(night, inbox, own) }));
  const of = (fault: keyof WordFaults): string[] =>
    found.flatMap(({ reader, faults }) => faults[fault].map((line) => `${reader}: ${line}`));
  return Object.fromEntries(WORD_FAULTS.map((fault) => [fault, of(fault)])) as unknown as WordFaults;
}

function verdictOf(night: Night, cause: Cause, read: readonly Read[], claims: Claims, alertOf: AlertOf): Verdict {
  const { culprit, customer, phones, decidable } = cause;
  // What is said just before it is mended.
  const at = Math.min(cause.until, night.end) - SECOND;
  const votes = new Map<ClaimKind, number>();
  for (const phone of phones) {
    if (!isOut(phone, at)) continue;
    const claim = claimAt(claims, alertOf(customer.name, phone.extension, at), customer.name, at);
    const vote = voteOf(claim, cause, phone);
    votes.set(vote, (votes.get(vote) ?? 0) + 1);
  }
  const [winner = 'nothing'] = [...votes].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  const right: ClaimKind = culprit;
  const many = night.causes.filter((other) => other.culprit === culprit && other.customer !== customer).length + 1;
  const gone = Math.min(...phones.map((phone) => goneAt(phone, cause, night)));
  const first = read.find((message) => message.at >= gone && mentions(message, cause));
  return {
    culprit,
    customer: customer.name,
    decidable: decidable && votes.size > 0,
    claim: winner,
    right: winner === right,
    toldAfterMs: first === undefined || gone === Infinity ? null : first.at - gone,
    isUntold: first === undefined && Math.min(cause.until, night.end) - gone > GRACE_MS,
    weight: culprit === 'provider' ? 1 / many : 1,
  };
}

function voteOf(claim: Claim | null, cause: Cause, phone: Phone): ClaimKind {
  if (claim === null) return 'nothing';
  if (claim.kind === 'site') {
    return cause.culprit !== 'site' || claim.names.includes(phone.site?.name ?? '') ? 'site' : 'other site';
  }
  if (claim.kind === 'device') {
    return claim.names.some((name) => cause.name.startsWith(name)) || cause.culprit !== 'device'
      ? 'device'
      : 'other device';
  }
  return claim.kind;
}

function mentions({ changes }: Read, { customer, phones }: Cause): boolean {
  const mine = new Set(phones.map(({ extension }) => extension));
  return changes.some(
    ({ source, kind, details }) =>
      source === customer.name &&
      /^(registration\.(mass|lost|flapping)|outage\.)/.test(kind) &&
      extensionsIn(details).some((extension) => mine.has(extension)),
  );
}
