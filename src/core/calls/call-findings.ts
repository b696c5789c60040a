/**
 * Findings about calls, as the account's step takes them in. A judged subject without a finding is over; a subject that
 * was not judged stays as it was.
 */
import type { ContentOf, DraftOf } from '../transition/transition.ts';
import { isWorse, type Kind, type Severity, pickWorse } from '../transition/kind.ts';
import type { FraudDetails } from '../transition/call-details.ts';
import { DAY } from '../text/duration.ts';

export type CallsKind = Extract<
  Kind,
  'calls.missed' | 'calls.stale' | 'spend.limit' | 'spend.forecast' | 'fraud.suspected' | 'route.dead' | 'agents.none'
>;

/** Kinds that are reported once and have no end. */
type SingleKind = 'calls.missed' | 'calls.stale' | 'spend.forecast';

/** Kinds with an alert of their own that stays open until they are over. */
export type StandingKind = Exclude<CallsKind, SingleKind>;

type FindingOf<K extends CallsKind> = {
  kind: K;
  subject: string;
  /** Each key is reported once: a day, a month, an alert. */
  key: string;
  /** Group of the account's alert that takes the finding; null for an alert of its own, or for none. */
  group: string | null;
} & Omit<ContentOf<K>, 'from' | 'to'> & { to: number };

export type CallFinding = { [K in CallsKind]: FindingOf<K> }[CallsKind];

export interface CallsObservation {
  kind: 'calls';
  findings: readonly CallFinding[];
  /**
   * Judged subjects, or prefixes of subjects that end with a slash. A reported subject among these without a finding is
   * over.
   */
  judged: readonly string[];
}

/** A reported finding that is not over. */
interface ReportedFinding {
  kind: StandingKind;
  key: string;
  group: string | null;
  to: number;
  details: ContentOf<StandingKind>['details'];
}

export interface CallsMemory {
  told: Readonly<Record<string, ReportedFinding>>;
  /** Time of each finding that is reported once, epoch milliseconds, by subject and key. */
  once: Readonly<Record<string, number>>;
  /** Networks and devices that appeared in the last two days. */
  news: FraudDetails['new'];
}

export const NO_CALLS: CallsMemory = { told: {}, once: {}, news: [] };

/** Keys older than this cannot be found again. */
const REMEMBERED_MS = 65 * DAY;
const NEWS_MS = DAY;
const MOST_NEWS = 20;

type CallDraftContent = { [K in CallsKind]: DraftOf<K> }[CallsKind];

export interface CallDraft {
  draft: CallDraftContent;
  group: string | null;
}

export function compareCalls(
  memory: CallsMemory,
  { findings, judged }: CallsObservation,
  now: number,
): { drafts: CallDraft[]; memory: CallsMemory } {
  const drafts: CallDraft[] = [];
  const reported: Record<string, ReportedFinding> = { ...memory.told };
  const once: Record<string, number> = { ...memory.once };
  for (const [subject, known] of Object.entries(memory.told)) {
    const found = findings.find((one) => one.subject === subject);
    if (found?.key === known.key || !isJudged(subject, judged)) continue;
    delete reported[subject];
    drafts.push({ draft: draftOf(subject, known.kind, known.to, null, known.details), group: known.group });
  }
  for (const finding of findings) {
    const { subject, key } = finding;
    if (isSingle(finding)) {
      const mark = `${subject} ${key}`;
      const draft = draftOf(subject, finding.kind, null, finding.to, finding.details);
      if (once[mark] === undefined) drafts.push({ draft, group: finding.group });
      once[mark] ??= now;
      continue;
    }
    const { kind } = finding;
    const details = withNews(finding, memory.news);
    const known = reported[subject];
    const group = known?.group ?? finding.group ?? subject;
    if (known !== undefined && !isGrown(known, finding.to, details.severity)) continue;
    reported[subject] = { kind, key, group, to: finding.to, details };
    drafts.push({ draft: draftOf(subject, kind, known?.to ?? null, finding.to, details), group });
  }
  const kept = Object.entries(once).filter(([, at]) => now - at < REMEMBERED_MS);
  return {
    drafts,
    memory: {
      ...memory,
      told: reported,
      once: kept.length === Object.keys(once).length ? once : Object.fromEntries(kept),
    },
  };
}

function isSingle(finding: CallFinding): finding is Extract<CallFinding, { kind: SingleKind }> {
  return finding.kind === 'calls.missed' || finding.kind === 'calls.stale' || finding.kind === 'spend.forecast';
}

function isJudged(subject: string, judged: readonly string[]): boolean {
  return judged.some((one) => one === subject || (one.endsWith('/') && subject.startsWith(one)));
}

/** A finding is reported again when its severity rises or its value doubles; a spending limit at each of its steps. */
function isGrown(known: ReportedFinding, to: number, severity: Severity): boolean {
  if (isWorse(severity, known.details.severity)) return true;
  return known.kind === 'spend.limit' ? to > known.to : to >= 2 * known.to && to > 0 && known.kind !== 'agents.none';
}

function draftOf(
  subject: string,
  kind: CallsKind,
  from: number | null,
  to: number | null,
  details: object,
): CallDraftContent {
  // A finding pairs its kind with its details; the compiler cannot follow the pairing.
  return { subject, kind, from, to, details } as CallDraftContent;
}

/** Suspected fraud becomes critical, and names the network or device, if one appeared within a day of the calls. */
function withNews(finding: Extract<CallFinding, { kind: StandingKind }>, news: CallsMemory['news']) {
  if (finding.kind !== 'fraud.suspected') return finding.details;
  const since = Date.parse(finding.details.since);
  const near = news.filter(({ at }) => Date.parse(at) <= since + NEWS_MS && since - Date.parse(at) < NEWS_MS);
  if (near.length === 0) return finding.details;
  return { ...finding.details, new: near, severity: pickWorse('critical', finding.details.severity) };
}

export function rememberNews(memory: CallsMemory, fresh: CallsMemory['news'], now: number): CallsMemory {
  const kept = [...memory.news, ...fresh].filter(({ at }) => now - Date.parse(at) < 2 * NEWS_MS).slice(-MOST_NEWS);
  return fresh.length === 0 && kept.length === memory.news.length ? memory : { ...memory, news: kept };
}
