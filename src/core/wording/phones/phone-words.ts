/** Names, counts, places and habits of phones as text. */
import type {
  EndDetails,
  PhoneCount,
  PhoneDetails,
  PhonesDetails,
  ReportedPhones,
  UsualDetails,
} from '../../transition/details.ts';
import {
  countOwnLosses,
  formatExtensionName as calledPhone,
  formatSitePlace,
  formatSiteCounts,
} from '../../alert/account-titles.ts';
import { formatList, toOneLine, formatCount, formatCountOf } from '../../text/plain.ts';
import { formatHour, parseInstant } from '../time.ts';
import { createFact, createList, type Fact, type List, type Setting } from '../wording.ts';

/** Maximum number of names in a list; the alert's page has all. */
export const NAMED = 10;

/** `101 (Reception)` */
export function formatPhoneName({ extension, name }: { extension: string; name: string | null }): string {
  return calledPhone({ extension: toOneLine(extension), name: name === null ? null : toOneLine(name) });
}

/** Counts of the account, and the limits of what they show. */
export function formatPhoneCount({ registered, total, ...others }: PhoneCount): string {
  return `${formatCountOf(registered, total, 'phone')} of the account ${total === 1 ? 'is' : 'are'} registered${formatAway(others)}; calls are not tested.`;
}

/** `Sydney (203.0.113.7)`, or the address alone; null if none is known. */
export function formatPlace({ site, address }: PhoneDetails): string | null {
  if (address === null || site === null || site === address) return address;
  return `${toOneLine(site)} (${address})`;
}

/** Null if the phone sent no device name. */
export function formatDevice({ device }: PhoneDetails): string | null {
  return device === null ? null : toOneLine(device);
}

/** Site and device. */
export function listPhoneFacts(details: PhoneDetails): Fact[] {
  return [...createFact('Site', formatPlace(details)), ...createFact('Device', formatDevice(details))];
}

/** `phones at Richmond`, `phones with Yealink SIP-T46S 66.86.0.15`, `phones of the account` */
export function formatPhonesIn(details: PhonesDetails): string {
  return `phones ${toOneLine(formatSitePlace(details)) || 'of the account'}`;
}

/** `14 of your 14 phones at Richmond`; without `your` for a customer, whose name precedes it. */
export function formatCountedPhones(details: PhonesDetails, down: number, isYours: boolean): string {
  return `${down} of ${isYours ? 'your ' : ''}${formatCount(details.total, 'phone')} ${toOneLine(formatSitePlace(details))}`.trimEnd();
}

interface LossContext {
  isYours: boolean;
  again: string;
  /** They are back. Default: false. */
  isOver?: boolean | undefined;
}

/** `40 of 59 phones offline: Richmond 20/20, Perth 0/19`, or the common place; `40 of 59 phones were offline` at the end. */
export function formatOffline(details: PhonesDetails, { isYours, again, isOver = false }: LossContext): string {
  if (details.usual !== undefined) {
    const late = details.phones.length + details.more;
    return `${formatCountedPhones(details, late, isYours)} ${isOver ? 'were' : 'are'} not back at their usual time: a holiday?`;
  }
  const sites = details.domain.kind === 'account' ? formatSiteCounts(details.by_site ?? []) : null;
  const own = countOwnLosses(details);
  const others = formatOthersBeside(details);
  if (sites !== null) {
    const counted = `${formatCountOf(own, details.total, 'phone')}${isOver ? ' were' : ''} offline`;
    return `${counted}${again}: ${toOneLine(sites)}${others}`;
  }
  const [one, several] = isOver ? ['was', 'were'] : ['is', 'are'];
  const verb = own === 1 ? one : several;
  return `${formatCountedPhones(details, own, isYours)} ${verb} offline${again}${others}`;
}

/** `; 8 others offline (#1)`: phones of the domain that other alerts report; empty if there are none. */
export function formatOthersBeside({ others = [] }: PhonesDetails): string {
  if (others.length === 0) return '';
  return `; ${formatCount(countReported(others), 'other')} offline (${formatAlertNumbers(others)})`;
}

/** ` for the 2nd time since 15:07`; empty for the first time. `since` is epoch milliseconds. */
export function formatRepeat(
  again: { count: number; since: number | null } | null,
  { timezone, now }: Pick<Setting, 'timezone' | 'now'>,
): string {
  if (again === null) return '';
  const { count, since } = again;
  return ` for the ${formatOrdinal(count)} time${since === null ? '' : ` since ${formatHour(since, timezone, now)}`}`;
}

/** ` for the 2nd time within an hour`; empty for the first time. */
export function formatTimesWithin({ times }: PhoneDetails): string {
  return times === undefined ? '' : ` for the ${formatOrdinal(times)} time within an hour`;
}

/** As `formatRepeat` has it. */
export function toRepeat({ again }: PhonesDetails): { count: number; since: number | null } | null {
  return again === undefined ? null : { count: again.count, since: parseInstant(again.since) };
}

/** `3rd` */
function formatOrdinal(count: number): string {
  const ending = ORDINALS[new Intl.PluralRules('en', { type: 'ordinal' }).select(count)] ?? 'th';
  return `${count}${ending}`;
}

const ORDINALS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** Sites before extensions; sites are omitted if bars show them. */
export function listPhones({ phones, more, sites, by_site: bySite = [] }: PhonesDetails): List[] {
  const left = more + Math.max(0, phones.length - NAMED);
  const names = phones.slice(0, NAMED).map(formatPhoneName);
  return [
    ...createList('Sites', sites.length > 1 && bySite.length < 2 ? sites : []),
    ...createList('Extensions', names, true, left),
  ];
}

/** Phones that are not counted because they are habitually offline, and phones overdue by their habit. */
export function describeHabits({ usual, away }: Pick<PhonesDetails, 'usual' | 'away'>): string[] {
  return [...describeLatePhones(usual, 'They'), ...(away === undefined ? [] : [`Not counted: ${describeAway(away)}.`])];
}

/** Habit of an overdue phone. */
export function describeLatePhones(usual: UsualDetails | undefined, who: 'It' | 'They'): string[] {
  if (usual === undefined) return [];
  const [logs, is] = who === 'It' ? ['logs', 'is'] : ['log', 'are'];
  return [
    `${who} usually ${logs} off at about ${usual.off} and ${is} back at about ${usual.back}; this time ${who.toLowerCase()} ${is} not.`,
  ];
}

/** `, 12 more are logged off as usual` */
export function formatAway({ away = 0 }: Pick<PhoneCount, 'away'>): string {
  return away === 0 ? '' : `, ${away} more ${away === 1 ? 'is' : 'are'} logged off as usual`;
}

/** `12 phones log off at about 18:00 on most days, usually back at about 08:00` */
export function describeAway({ count, off, back }: UsualDetails & { count: number }, more = ''): string {
  const logs = count === 1 ? 'logs' : 'log';
  return `${count}${more} ${count === 1 ? 'phone' : 'phones'} ${logs} off at about ${off} on most days, usually back at about ${back}`;
}

/** Phones that are back, and those that are still offline, with the numbers of their alerts. */
export function formatPartialEnd(end: EndDetails): string {
  return `${formatCount(end.phones, 'phone')} online again; ${formatOthersStillOffline(end.remaining)}`;
}

/** `8 others still offline (#1)` */
export function formatOthersStillOffline(others: readonly ReportedPhones[]): string {
  return `${formatCount(countReported(others), 'other')} still offline (${formatAlertNumbers(others)})`;
}

/** `12 other phones are still offline (#2).` */
export function formatOthersOffline({ remaining }: EndDetails): string {
  return formatStillOffline(remaining, 'other phone');
}

/** `143 phones are still offline (#1).` */
export function formatStillOffline(remaining: readonly ReportedPhones[], noun: string): string {
  return `${formatPhonesStill(countReported(remaining), noun)} (${formatAlertNumbers(remaining)}).`;
}

/** `143 phones are still offline` */
export function formatPhonesStill(count: number, noun: string): string {
  return `${formatCount(count, noun)} ${count === 1 ? 'is' : 'are'} still offline`;
}

function countReported(others: readonly ReportedPhones[]): number {
  return others.reduce((sum, { phones }) => sum + phones, 0);
}

function formatAlertNumbers(remaining: readonly ReportedPhones[]): string {
  if (remaining.length === 1) return remaining.map(({ number }) => `#${number}`).join('');
  return formatList(
    remaining.map(({ number, phones }) => `${phones} in #${number}`),
    3,
  );
}
