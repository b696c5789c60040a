/** Text about offline phones: their number, its split by cause, and advice for each cause. */
import { formatSitePlace } from '../../alert/account-titles.ts';
import { capitalize, formatList, toOneLine, formatCount, formatInteger, formatCountOf } from '../../text/plain.ts';
import { PROVIDER } from '../../wording/authors.ts';
import { CHECK_ACCOUNT, DIVERT_CALLS } from '../../wording/phones/why.ts';
import { formatHour } from '../../wording/time.ts';
import type { CauseLoss, NamedCause, PhoneLosses } from './phone-losses.ts';
import type { SystemStatus } from '../system-status.ts';

/** Number of causes with a number of their own; the others share one. */
const CAUSES_NAMED = 5;
const NAMED = 3;
/** Number of sites listed one by one, for a firm that watches itself. */
const SITES_COUNTED = 4;
/** Number of phones called by name. */
const FEW = 3;

type ReaderZone = Pick<SystemStatus, 'timezone' | 'now'>;

/** `120 of 371 phones offline`. */
export function formatLossHeadline({ offline, total }: PhoneLosses): string {
  return `${formatCountOf(offline, total, 'phone')} offline`;
}

/** The headline's number split by cause, followed by possible further losses and unknown phones. */
export function formatLossSentences(losses: PhoneLosses, zone: ReaderZone): string[] {
  return [
    ...(losses.watched === 1 ? ofOneFirm(losses, zone) : ofMany(losses, zone)),
    ...(losses.notSeen === 0
      ? []
      : [`${formatInteger(losses.notSeen)} more ${losses.notSeen === 1 ? 'was' : 'were'} not seen at the last look.`]),
    ...notKnown(losses),
  ];
}

/** Lists the firm's sites, followed by the cause. */
function ofOneFirm(losses: PhoneLosses, zone: ReaderZone): string[] {
  const { causes, since } = losses;
  const [first, ...others] = causes;
  if (first === undefined) return [];
  const called = fewPhones(losses);
  const when = `, since ${formatHour(since, zone.timezone, zone.now)}.`;
  if (called !== null) return [`${called}${when}`, ...aside(first)];
  const sites = sitesText(losses);
  const where = sites === null ? [] : [`${sites}${when}`];
  if (others.length > 0) {
    return [...where, split(causes.map((each) => `${formatInteger(each.offline)} ${causeText(each)}`))];
  }
  return [...where, ...(where.length === 0 ? [`${capitalize(causeText(first))}.`] : aside(first))];
}

/** The cause as a separate sentence; none if it is unknown. */
function aside(cause: CauseLoss): string[] {
  return cause.cause.kind === 'unknown' ? [] : [`${capitalize(causeText(cause))}.`];
}

function ofMany(losses: PhoneLosses, zone: ReaderZone): string[] {
  const { causes, customers, watched } = losses;
  const [first, ...others] = causes;
  if (first === undefined) return [];
  const called = fewPhones(losses);
  if (called !== null) return [`${called},${sinceText(first, zone)}.`, ...aside(first)];
  const where = customers === 1 ? `At ${first.customers[0]?.name ?? ''}` : `At ${customers} of ${watched} customers`;
  if (others.length === 0) return [`${where}${sinceText(first, zone)}, ${causeText(first)}.`];
  return [`${where}: ${split(manyParts(losses, zone))}`];
}

/** `112 at 11 customers since 04:03 with an incident at …`, and one number for the rest. */
function manyParts({ causes, customers }: PhoneLosses, zone: ReaderZone): string[] {
  const isAll = causes.length <= CAUSES_NAMED;
  const named = isAll ? causes : causes.slice(0, CAUSES_NAMED - 1);
  const rest = causes.slice(named.length).reduce((sum, { offline }) => sum + offline, 0);
  const where = (cause: CauseLoss): string => (customers === 1 ? '' : ` at ${customersText(cause)}`);
  return [
    ...named.map((each) => `${formatInteger(each.offline)}${where(each)}${sinceText(each, zone)} ${causeText(each)}`),
    ...(isAll ? [] : [`${formatInteger(rest)} by ${causes.length - named.length} other causes`]),
  ];
}

function split(parts: readonly string[]): string {
  return `${formatList(parts, Infinity, ' and ')}.`;
}

/** `11 customers`, or a single one by name. */
function customersText({ customers }: CauseLoss): string {
  return customers.length === 1 ? (customers[0]?.name ?? '') : formatCount(customers.length, 'customer');
}

function sinceText({ since }: Pick<CauseLoss, 'since'>, { timezone, now }: ReaderZone): string {
  return ` since ${formatHour(since, timezone, now)}`;
}

/** Few phones of one alert by name: its title. Null for many. */
function fewPhones({ causes, offline }: PhoneLosses): string | null {
  const [alert, ...others] = new Set(causes.flatMap(({ alerts }) => alerts));
  if (offline > FEW || alert === undefined || others.length > 0 || causes.length > 1) return null;
  return toOneLine(alert.title) || null;
}

/** `20 of 20 at Richmond, 5 of 19 at Carlton and 3 more sites`; null if no site is known. */
function sitesText({ sites }: PhoneLosses): string | null {
  if (sites.every(({ site }) => site === null)) return null;
  const isAll = sites.length <= SITES_COUNTED;
  const texts = sites
    .slice(0, isAll ? SITES_COUNTED : SITES_COUNTED - 1)
    .map(
      ({ site, offline, total }) =>
        `${formatInteger(offline)} of ${formatInteger(total)} at ${site === null ? 'an unknown address' : toOneLine(site)}`,
    );
  const more = sites.length - texts.length;
  return formatList([...texts, ...(more > 0 ? [formatCount(more, 'more site')] : [])]);
}

function notKnown({ notKnown: { phones, customers } }: PhoneLosses): string[] {
  if (customers.length === 0) return [];
  const whose = formatList(customers, NAMED);
  return [
    phones === 0
      ? `The phones of ${whose} are not known.`
      : `${formatCount(phones, 'phone')} of ${whose} ${phones === 1 ? 'is' : 'are'} not known.`,
  ];
}

/** Text to follow a number of phones. */
function causeText({ cause, customers }: CauseLoss): string {
  switch (cause.kind) {
    case 'provider':
      return `with an incident at ${cause.by ?? PROVIDER}`;
    case 'planned':
      return `with planned work at ${cause.by ?? PROVIDER}`;
    case 'suspected':
      return 'by a suspected outage at the provider';
    case 'residual':
      return `left by an incident at ${cause.by ?? PROVIDER}`;
    case 'site':
      if (customers.length > 1) return 'by trouble at their own sites';
      return `by trouble at ${cause.places.length === 1 ? 'the site' : 'the sites'} ${formatList(cause.places, NAMED)}`;
    case 'model':
      return toOneLine(formatSitePlace(cause.because));
    case 'account':
      return customers.length === 1 ? 'all over the account' : 'all over their accounts';
    case 'unknown':
      return 'without a known cause';
  }
}

/** One line for each cause, in the order of the split. */
export function listLossTodos({ causes, watched }: PhoneLosses, zone: ReaderZone): string[] {
  return causes.slice(0, CAUSES_NAMED).map((each) => {
    const advice = watched === 1 ? adviceHere(each, zone) : adviceThere(each, zone);
    const takers = each.alerts.flatMap(({ acknowledged }) =>
      acknowledged === null ? [] : [toOneLine(acknowledged.by)],
    );
    const isTaken = takers.length === each.alerts.length;
    return isTaken ? `${advice} Ask ${formatList([...new Set(takers)], NAMED)} first: it is in hand.` : advice;
  });
}

export const TOGGLE_ADVICE = 'Switch it as it should be, or correct its hours in the configuration.';

/** Advice on one alert, for a program. */
export function suggestAction(cause: NamedCause): string {
  return adviceHere({ cause }, UNDATED);
}

/** A cause without a known end needs no time. */
const UNDATED: ReaderZone = { timezone: 'UTC', now: 0 };

/** Advice to a firm about its own phones. */
function adviceHere({ cause }: Pick<CauseLoss, 'cause'>, zone: ReaderZone): string {
  switch (cause.kind) {
    case 'provider':
      return providerAdvice(cause, 'your');
    case 'suspected':
      return `Call the provider${saysText(cause)} Nothing to do at your sites.`;
    case 'site':
      return `Check power, router and internet line at ${formatList(cause.places, NAMED)}.`;
    case 'account':
      return CHECK_ACCOUNT;
    case 'unknown':
      return 'Check power and network where the phones are; if all is well there, call the provider.';
    default:
      return adviceAnywhere(cause, zone);
  }
}

/** Advice to an operator of several customers. */
function adviceThere(loss: CauseLoss, zone: ReaderZone): string {
  const { cause, customers } = loss;
  const whose = customersText(loss);
  const their = customers.length === 1 ? 'its' : 'their';
  switch (cause.kind) {
    case 'provider':
      return `${whose}: ${lowered(providerAdvice(cause, their))}`;
    case 'suspected':
      return `${whose}: call the provider${saysText(cause)} Nothing to do at ${their} sites.`;
    case 'site':
      return `${whose}: check power, router and internet line at ${formatList(cause.places, NAMED)}.`;
    case 'account':
      return `${whose}: ${lowered(CHECK_ACCOUNT)}`;
    case 'unknown':
      return `${whose}: check power and network where the phones are; if all is well there, call the provider.`;
    default:
      return `${whose}: ${lowered(adviceAnywhere(cause, zone))}`;
  }
}

function adviceAnywhere(
  cause: Extract<NamedCause, { kind: 'planned' | 'residual' | 'model' }>,
  { timezone, now }: ReaderZone,
): string {
  switch (cause.kind) {
    case 'planned': {
      const until = cause.until === null ? '' : `, announced until ${formatHour(cause.until, timezone, now)}`;
      return `Wait for the end of the planned work at ${cause.by ?? PROVIDER}${until}; then restart the phones that are still offline.`;
    }
    case 'residual':
      return cause.isSaid
        ? `Restart the phones that are still offline: ${cause.by ?? PROVIDER} says that its incident is over.`
        : `Restart the phones that are still offline, then call the provider: the notice of ${cause.by ?? PROVIDER} is gone without an end.`;
    case 'model':
      return cause.because.domain.kind === 'firmware'
        ? `Check the last firmware, ${toOneLine(cause.because.domain.name)}.`
        : `Check the last firmware ${toOneLine(formatSitePlace(cause.because))}.`;
  }
}

/** `whose`: the sites. */
function providerAdvice({ by, state }: Extract<NamedCause, { kind: 'provider' }>, whose: string): string {
  const who = by ?? PROVIDER;
  if (state === 'recovering') {
    return `Wait: ${who} says that it is recovering. Restart the phones that are still offline after that.`;
  }
  const progress = state === 'identified' ? 'has found the fault' : 'knows of the fault';
  return `Nothing to do at ${whose} sites. ${capitalize(who)} ${progress}. ${DIVERT_CALLS}`;
}

function saysText({ says }: Extract<NamedCause, { kind: 'suspected' }>): string {
  return says === null ? '.' : `: its page says ${says}.`;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
