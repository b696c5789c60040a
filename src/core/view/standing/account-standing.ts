/** Status of a customer's account and its alerts: phones, sites and toggles. */
import { formatExtensionName } from '../../alert/account-titles.ts';
import { isAway } from '../../account/presence.ts';
import { takeCensus } from '../../account/census.ts';
import { computeUsualHours } from '../../account/losses/habits.ts';
import type { AccountSnapshot, PhoneMemory, ToggleMemory } from '../../account/account-snapshot.ts';
import type { AccountState } from '../../engine/account-kind.ts';
import { isPartRefused } from '../../observation/health.ts';
import { ACCOUNT_PARTS } from '../../observation/listing.ts';
import { findNextChange, type Hours } from '../../text/hours.ts';
import { formatCount, formatCountOf } from '../../text/plain.ts';
import type { PhoneCount } from '../../transition/details.ts';
import { formatCallAdvice } from '../../wording/phones/calls-wording.ts';
import { formatAway } from '../../wording/phones/phone-words.ts';
import { createPartPhonesOf } from '../story/part-phones.ts';
import type {
  ScheduleState,
  AccountView,
  MissingPhone,
  SiteView,
  SourceView,
  AlertStanding,
  SourceStanding,
  ToggleView,
} from '../system-status.ts';

/** `sites`: names of external addresses. */
export function describeAccountStanding(
  { snapshot, alerts }: AccountState,
  sites: Readonly<Record<string, string>>,
): SourceStanding {
  const { refused, health } = snapshot;
  const phones = phonesOf(snapshot, sites);
  const toggles = snapshot.toggles?.map((toggle) => toggleView(snapshot, toggle)) ?? null;
  const lostIn = createPartPhonesOf(snapshot, sites);
  const isBad = snapshot.phones?.some(({ lost }) => lost !== null) === true || snapshot.expectations.some(isTold);
  return {
    source: {
      type: 'account',
      title: null,
      state: isPartRefused(refused, 'registrations') ? 'Credentials refused' : registered(phones),
      isWell: refused === null && !isBad,
      url: null,
      facts: [
        ...(snapshot.phones === null ? [] : [formatCount(snapshot.phones.length, 'phone')]),
        ...(toggles === null ? [] : [formatCount(toggles.length, 'toggle')]),
      ],
      troubled: [...missingPhones(phones), ...wrongToggles(snapshot)],
      unread: ACCOUNT_PARTS.filter((part) => isPartRefused(refused, part) || health.blind[part] !== undefined),
      phones,
      toggles,
      schedule: scheduleOf(snapshot),
    },
    alerts: alerts.map((alert): AlertStanding => {
      const lost = lostIn(alert);
      const advice = alert.lastChange === null ? null : formatCallAdvice(alert.lastChange.transition);
      return {
        alert,
        shown: {
          state: alert.status === 'open' ? offline(alert.subjects) : null,
          affected: alert.subjects.flatMap((subject) => calledIn(snapshot, subject)),
          words: null,
          url: null,
          ...(lost !== null && { phones: lost }),
          ...(advice !== null && { advice }),
        },
        planned: null,
      };
    }),
  };
}

/** Lost, or absent from the last sweep at an hour when it is expected. */
export function isMissing(phone: PhoneMemory): boolean {
  return phone.lost !== null || (phone.missing !== null && !isAway(phone));
}

function phonesOf(
  { phones, extensions }: AccountSnapshot,
  sites: Readonly<Record<string, string>>,
): AccountView['phones'] {
  if (phones === null) return null;
  const census = takeCensus(phones, sites);
  const names = new Map((extensions ?? []).map(({ number, name }) => [number, name]));
  const missingOf = (some: readonly PhoneMemory[]): MissingPhone[] =>
    some.filter(isMissing).map(({ extension, lost, missing }) => ({
      extension,
      name: names.get(extension) ?? null,
      since: lost?.since ?? missing?.since ?? null,
      isLost: lost !== null,
    }));
  const bySite = Map.groupBy(phones, (phone) => census.siteOf(phone)?.name ?? null);
  const named = new Set(Object.values(sites));
  return {
    ...countPhones(phones),
    missing: missingOf(phones),
    sites: [...bySite].map(([site, there]): SiteView => {
      const usual = computeUsualHours(there.filter(isAway).map(({ missing }) => missing?.habit));
      const isNamed = site !== null && named.has(site);
      return { site, isNamed, ...countPhones(there), ...(usual !== null && { usual }), missing: missingOf(there) };
    }),
  };
}

function countPhones(phones: readonly PhoneMemory[]): PhoneCount {
  const away = phones.filter(isAway).length;
  const total = phones.length - away;
  return { registered: total - phones.filter(isMissing).length, total, ...(away > 0 && { away }) };
}

/** A toggle counts as expected unless it deviates. */
function toggleView({ expectations, toggles }: AccountSnapshot, toggle: ToggleMemory): ToggleView {
  const { id, name, status, isUnknown = false } = toggle;
  const isMeant = (word: string): boolean =>
    word === id || (word === name && toggles?.every((other) => other.id !== word) === true);
  const meant = expectations.find((each) => isMeant(each.toggle) && each.told !== 'missing');
  const expected = meant === undefined ? null : (meant.wrong?.expected ?? status);
  return { id, name, status: isUnknown ? null : status, expected };
}

/** Number of lost phones here; the title may name only the first of several losses. */
function offline(subjects: readonly string[]): string | null {
  const count = subjects.filter((subject) => subject.startsWith('registration/')).length;
  return count === 0 ? null : `${formatCount(count, 'phone')} offline`;
}

/** Counts registrations only: calls are not tested. */
function registered(phones: AccountView['phones']): string | null {
  return phones === null
    ? null
    : `${formatCountOf(phones.registered, phones.total, 'phone')} registered${formatAway(phones)}`;
}

/** One response may omit a healthy phone: until the end of the hold-off it is only missing. */
function missingPhones(phones: AccountView['phones']): SourceView['troubled'] {
  return (phones?.missing ?? []).map(({ extension, name, isLost }) => ({
    name: formatExtensionName({ extension, name }),
    state: isLost ? 'Offline' : 'Missing',
  }));
}

function wrongToggles({ expectations, toggles }: AccountSnapshot): SourceView['troubled'] {
  return expectations.flatMap(({ toggle, told, wrong }) => {
    if (told === null && wrong === null) return [];
    const name = toggles?.find(({ id }) => id === toggle)?.name ?? toggle;
    return [{ name, state: told === 'missing' ? 'Missing' : told === null ? 'Not switched yet' : 'Off schedule' }];
  });
}

function scheduleOf({ expectations }: AccountSnapshot): AccountView['schedule'] {
  const schedule: AccountView['schedule'] = { on_schedule: 0, late: 0, off_schedule: 0, missing: 0 };
  for (const expectation of expectations) schedule[scheduleState(expectation)] += 1;
  return schedule;
}

function scheduleState({ told, wrong }: AccountSnapshot['expectations'][number]): ScheduleState {
  if (told === 'missing') return 'missing';
  if (told !== null) return 'off_schedule';
  return wrong === null ? 'on_schedule' : 'late';
}

function isTold({ told }: AccountSnapshot['expectations'][number]): boolean {
  return told !== null;
}

function calledIn({ extensions, toggles }: AccountSnapshot, subject: string): string[] {
  const [what, id] = [subject.slice(0, subject.indexOf('/')), subject.slice(subject.indexOf('/') + 1)];
  if (what === 'registration') {
    return [
      formatExtensionName({ extension: id, name: extensions?.find(({ number }) => number === id)?.name ?? null }),
    ];
  }
  const toggle = what === 'toggle' ? toggles?.find((each) => each.id === id) : undefined;
  return toggle === undefined ? [] : [toggle.name];
}

/** Adds the next change of each toggle's expected status; `hours` are those of the toggles, by id or name. */
export function withChanges<A extends Pick<AccountView, 'toggles'>>(
  account: A,
  hours: ReadonlyMap<string, Hours> | undefined,
  now: number,
): A {
  const toggles = account.toggles?.map((toggle) => {
    const own = hours?.get(toggle.id) ?? hours?.get(toggle.name);
    const changesAt = own === undefined || toggle.expected === null ? null : findNextChange(own, now);
    return changesAt === null ? toggle : { ...toggle, changesAt };
  });
  return { ...account, toggles: toggles ?? null };
}
