/**
 * Sentences for the cause of a loss and its evidence, without a full stop. Messages, `status`, the page and the log use
 * them.
 */
import { formatSitePlace } from '../../alert/account-titles.ts';
import type { Because } from '../../alert/alert.ts';
import type { HeldReason, HoldReason } from '../../correlation/notify-decision.ts';
import type { CauseDetails, DomainDetails } from '../../transition/details.ts';
import { capitalize, toOneLine } from '../../text/plain.ts';
import { formatPossessive, PROVIDER, formatAuthor } from '../authors.ts';
import { formatElapsed } from '../time.ts';
import { cleanName } from '../wording.ts';
import { MINUTE, SECOND } from '../../text/duration.ts';

/** Null if there is no evidence. */
export function formatReason(because: Extract<Because, { kind: 'suspected' | 'explained' | 'residual' }>): string;
export function formatReason(because: Because): string | null;
export function formatReason(because: Because): string | null {
  switch (because.kind) {
    case 'named':
      return formatEvidence(because);
    case 'account':
      return because.sites < 2 ? null : `Phones go missing at ${because.sites} sites, so no single site explains it`;
    case 'suspected':
      return because.scattered
        ? 'No single site and no single model explains these losses'
        : 'Other accounts at this provider lose phones at the same time';
    case 'explained':
      return formatExplained(because);
    case 'residual':
      return formatResidual(because);
  }
}

/** `20 of 20 at Richmond, 0 of 39 elsewhere`; null if there is nothing to compare with. */
function formatEvidence({ domain, why, past }: Extract<Because, { kind: 'named' }>): string | null {
  const { down, total, beside = [], elsewhere } = why;
  if (beside.length === 0 && elsewhere.total === 0) return null;
  const counts = [
    ...[{ domain, down, total }, ...beside].map((each) => `${each.down} of ${each.total} ${formatPlaced(each.domain)}`),
    ...(elsewhere.total === 0 ? [] : [`${elsewhere.down} of ${elsewhere.total} elsewhere`]),
  ];
  return `${counts.join(', ')}${past === true ? ' when it last grew' : ''}`;
}

function formatPlaced(domain: DomainDetails): string {
  return formatSitePlace({ domain: { ...domain, name: cleanName(domain.name) } });
}

type ExplainedCause = Extract<Because, { kind: 'explained' }>;

function formatExplained({ number, title, ...cause }: ExplainedCause): string {
  return `${capitalize(formatExplanation(cause))}: #${number} ${cleanName(title)}`;
}

/** Without a capital. Trouble that was open before the loss may be unrelated. */
function formatExplanation({
  minutes_later: later,
  page,
  planned,
}: Pick<ExplainedCause, 'minutes_later' | 'page' | 'planned'>): string {
  const who = formatAuthor(page);
  if (planned === true) return `${who} has planned work under way that may explain it`;
  if (later === null) return `${who} has trouble that may explain it`;
  if (later > 0) return `${who} confirmed it ${formatElapsed(later * MINUTE)} after us`;
  return `${page === undefined ? `${who}’s notice` : `a notice of ${who}`} explains it`;
}

/** A notice that vanished without an end is not reported as over. */
function formatResidual({ page, without_resolve: isGone }: Extract<Because, { kind: 'residual' }>): string {
  if (isGone === true) return `${formatPossessive(formatAuthor(page), 'notice')} is gone without a word of an end`;
  return `${page === undefined ? 'Provider' : formatAuthor(page)} says it is over`;
}

/** Reasons for not sending a message, as sentences. */
const HELD: Readonly<Record<Exclude<HoldReason, 'quiet hours' | 'group wait' | 'held'>, string>> = {
  unwatched: 'the message is not sent, as all its components are left out of the watch',
  summary: 'the message will be sent with the summary of what was open at the start',
  elsewhere: 'the message is sent with the alert that it has become part of',
  explained: 'no message is sent, as what people were told already explains it',
  daily: 'the message will be sent with those of the day, once a day',
  minor: 'no message is sent of such a change by itself',
  'no route': 'the message is not sent, as no route leads it to people',
  silenced: 'the message is not sent, as a silence mutes it',
  acknowledged: 'no reminder is sent, as somebody has it',
};

/** Reason why one receiver was not notified. */
export function explainNotNotified(held: HeldReason, now: number): string {
  return held.reason === 'no route' ? 'not told, as no route leads it there' : explainHold(held, now);
}

/** Time of the next attempt. A message that was due before is being retried. */
export function formatNextAttempt(dueAt: number, now: number): string {
  return dueAt > now ? `will be sent within ${formatTimeLeft(dueAt, now)}` : 'is being sent, not taken yet';
}

function formatTimeLeft(dueAt: number, now: number): string {
  return formatElapsed(Math.ceil(Math.max(0, dueAt - now) / SECOND) * SECOND);
}

/** Reason why people are not notified at once, and the time when they will be. Without capital and full stop. */
export function explainHold({ reason, dueAt }: HeldReason, now: number): string {
  const left = dueAt === null ? null : formatTimeLeft(dueAt, now);
  switch (reason) {
    case 'group wait':
      return `the message will be sent ${left === null ? 'soon' : `within ${left}`}`;
    case 'held':
      return `the message will be sent ${left === null ? 'later' : `within ${left}`}, as little has changed since the last one`;
    case 'quiet hours':
      return `the message will be sent when quiet hours end${left === null ? '' : `, in ${left}`}`;
    default:
      return HELD[reason];
  }
}

/** As complete sentences; empty without evidence. */
export function listReasonSentences(because: Because | null): string[] {
  const text = because === null ? null : formatReason(because);
  return text === null ? [] : [`${text}.`];
}

/** The cause in a word or two. */
export function formatCause(because: Because): string {
  switch (because.kind) {
    case 'named':
      return toOneLine(formatSitePlace(because).replace(/^at /, 'site '));
    case 'account':
    case 'residual':
      return 'the account';
    case 'suspected':
      return PROVIDER;
    case 'explained':
      return `#${because.number}`;
  }
}

/** Sentence about the notice that explains a loss; empty if there is none. */
export function listCauseSentences(cause: CauseDetails | undefined): string[] {
  return cause === undefined ? [] : listReasonSentences({ kind: 'explained', ...toExplained(cause) });
}

/** In place of that sentence, where `formatCauseClause` has named the cause by its number: its title. */
export function nameCause({ number, title, planned }: CauseDetails): string {
  return `The ${planned === true ? 'work' : 'trouble'} is #${number} ${cleanName(title)}.`;
}

export const CALL_PROVIDER = 'Call the provider.';
export const DIVERT_CALLS = 'Divert the calls that cannot wait.';
export const CHECK_ACCOUNT =
  'Check the credentials of the phones and the payments to the provider, then call the provider.';

/** Advice on a loss all over an account; none during planned work, which has an end. */
export function listAdvice(cause: CauseDetails | undefined): string[] {
  if (cause === undefined) return [CHECK_ACCOUNT];
  return cause.planned === true ? [] : [DIVERT_CALLS];
}

/** Planned work under way, which may be unrelated; empty for none. */
export function listWorkSentences(work: CauseDetails | undefined): string[] {
  if (work === undefined) return [];
  return [`Planned work is under way at ${formatAuthor(work.page)}: #${work.number} ${cleanName(work.title)}.`];
}

/** The same as a clause after a headline: `the provider confirmed it 8 min after us (#2)`. */
export function formatCauseClause(cause: CauseDetails): string {
  return `${formatExplanation(toExplained(cause))} (#${cause.number})`;
}

function toExplained({
  number,
  title,
  minutes_later: later,
  page,
  planned,
}: CauseDetails): Omit<ExplainedCause, 'kind'> {
  return {
    number,
    title,
    minutes_later: later ?? null,
    ...(page !== undefined && { page }),
    ...(planned !== undefined && { planned }),
  };
}
