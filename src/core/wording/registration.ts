/** Wording of what happens to phones: lost, back, coming and going, somewhere or something new. */
import type { MassDetails, PhoneCount, PhoneDetails, PhonesDetails } from '../transition/details.ts';
import { phoneName as calledPhone, placeOf, siteCounts, SITES_NAMED } from '../alert/phone-titles.ts';
import { link, type Link } from './link.ts';
import { andMore, oneLine, plural } from '../text/plain.ts';
import { whySentences } from './why.ts';
import { asUsual, habitTexts, lateText } from './habit.ts';
import { instant } from './time.ts';
import {
  fact,
  list,
  since,
  named,
  wording,
  type Fact,
  type List,
  type Setting,
  type Tellers,
  type Wording,
} from './wording.ts';

export const ACCOUNT = 'your own account';

type PhoneKind =
  | 'registration.lost'
  | 'registration.restored'
  | 'registration.mass'
  | 'registration.removed'
  | 'registration.device'
  | 'registration.network'
  | 'registration.flapping';

/** `101 (Reception)` */
export function phoneName({ extension, name }: { extension: string; name: string | null }): string {
  return calledPhone({ extension: oneLine(extension), name: name === null ? null : oneLine(name) });
}

/** What is known, and what is not. */
function counted({ registered, total, ...others }: PhoneCount): string {
  return `${registered} of ${plural(total, 'phone')} of the account ${total === 1 ? 'is' : 'are'} registered${asUsual(others)}; calls are not tested.`;
}

export function place({ site, address }: PhoneDetails): string | null {
  if (address === null || site === null || site === address) return address;
  return `${oneLine(site)} (${address})`;
}

function phoneFacts(details: PhoneDetails, setting: Setting): Fact[] {
  return [
    ...fact('Site', place(details)),
    ...fact('Device', deviceText(details)),
    ...since('Offline since', instant(details.since), setting),
  ];
}

function siteFact({ domain: { kind, name, address } }: PhonesDetails): Fact[] {
  return kind !== 'site' || address === null || address === name ? [] : fact('Site', `${named(name)} (${address})`);
}

/** `phones at Richmond`, `phones with Yealink SIP-T46S 66.86.0.15`, `phones of the account` */
export function phonesIn(details: PhonesDetails): string {
  return `phones ${oneLine(placeOf(details)) || 'of the account'}`;
}

/** `14 of your 14 phones at Richmond`, or of a customer's, who is named before it. */
export function countedIn(details: PhonesDetails, down: number, isYours: boolean): string {
  return `${down} of ${isYours ? 'your ' : ''}${plural(details.total, 'phone')} ${oneLine(placeOf(details))}`.trimEnd();
}

/** `40 of 59 phones offline: Richmond 20/20, Perth 0/19`, or the place where they all are. */
export function offline(details: PhonesDetails, isYours: boolean): string {
  const sites = details.domain.kind === 'account' ? siteCounts(details.by_site ?? []) : null;
  if (sites !== null) return `${details.down} of ${plural(details.total, 'phone')} offline: ${oneLine(sites)}`;
  return `${countedIn(details, details.down, isYours)} ${details.down === 1 ? 'is' : 'are'} offline`;
}

/** More names than these nobody reads on the way to the phone; the page behind the link has them. */
export const NAMED = 10;

/** Sites before names: what is out of order is seen from the numbers. */
export function phoneLists({ phones, more, sites, by_site: bySite = [] }: PhonesDetails): List[] {
  const left = more + Math.max(0, phones.length - NAMED);
  const names = [...phones.slice(0, NAMED).map(phoneName), ...andMore(left)];
  const counts = bySite.map(({ site, down, total }) => `${site} ${down}/${total}`);
  const isSaid = counts.length <= SITES_NAMED;
  return [
    ...(counts.length < 2
      ? list('Sites', sites.length > 1 ? sites : [])
      : isSaid
        ? []
        : list('Offline by site', counts)),
    ...list('Extensions', names),
  ];
}

export function causeOf(cause: MassDetails['explained_by']): string[] {
  if (cause === undefined) return [];
  const { number, title } = cause;
  return whySentences({ kind: 'explained', number, title, minutes_later: null });
}

/** Nothing of an account, whose sites are counted one by one. */
function numbersOf({ domain, why }: MassDetails): string[] {
  return why === undefined || domain.kind === 'account' ? [] : whySentences({ kind: 'named', domain, why });
}

export function causeLink(cause: MassDetails['explained_by'] | null): Link[] {
  return link('Provider’s notice', cause?.url ?? null);
}

/** The provider may have open trouble that has nothing to do with it; while it is suspected nobody is sent to a router. */
function whereToLook({ domain, why, sites, explained_by: cause, suspected }: MassDetails): string[] {
  if (suspected === true) return ['An outage at the provider is suspected.'];
  const first = cause === undefined ? 'first' : 'also';
  const trouble = causeOf(cause);
  switch (domain.kind) {
    case 'site':
      return [
        ...trouble,
        `They share one external address: look ${first} at the power, the router and the internet connection there.`,
      ];
    case 'model':
    case 'firmware':
      return [...trouble, `Phones of other kinds stay registered: look ${first} at what changed for this one.`];
    case 'account':
      return [...trouble, ...whySentences({ kind: 'account', sites: why?.sites ?? sites.length })];
  }
}

/** What was named before turned out not to be it. */
function correction({ instead_of: before }: MassDetails): string[] {
  if (before === undefined) return [];
  const what = oneLine(placeOf({ domain: before })) || 'the account as a whole';
  return [`First told as “${what}”; the losses no longer fit that.`];
}

function several(details: PhonesDetails, from: number, to: number): Wording {
  const { down, total } = details;
  const all = down === 0;
  const where = oneLine(placeOf(details));
  const headline = all
    ? `All ${plural(total, 'phone')}${where === '' ? '' : ` ${where}`} are online again`
    : `${countedIn(details, to, false)} online again; ${down} still offline`;
  return wording(headline, phonesIn(details), {
    where: ACCOUNT,
    standing: all ? 'all online again' : `${down} of ${total} offline`,
    // The alert may be the provider's, and much older.
    since: instant(details.since),
    sentences: [`${to} of ${plural(total, 'phone')} ${to === 1 ? 'is' : 'are'} registered; calls are not tested.`],
    facts: [...fact('Registered', `${from} → ${to} of ${total}`), ...siteFact(details)],
    lists: all ? [] : phoneLists(details),
  });
}

export const registrationWording: Tellers<PhoneKind> = {
  'registration.lost'({ details }, setting) {
    const thing = phoneName(details);
    return wording(`Extension ${thing} is offline`, thing, {
      where: ACCOUNT,
      standing: 'offline',
      sentences: [...lateText(details.usual, 'It'), counted(details.phones)],
      facts: phoneFacts(details, setting),
    });
  },

  'registration.restored'(transition, setting) {
    const { details } = transition;
    if (!('extension' in details)) return several(details, Number(transition.from), Number(transition.to));
    const thing = phoneName(details);
    return wording(`Extension ${thing} is online again`, thing, {
      where: ACCOUNT,
      standing: 'online again',
      // Its alert may be about other phones as well, and older.
      since: instant(details.since),
      sentences: [counted(details.phones)],
      facts: phoneFacts({ ...details, since: null }, setting),
    });
  },

  'registration.mass'({ source, from, to, details }, setting) {
    return wording(offline(details, setting.customer(source) === null), phonesIn(details), {
      where: ACCOUNT,
      standing: `${details.down} of ${details.total} offline`,
      since: instant(details.since),
      sentences: [...correction(details), ...numbersOf(details), ...habitTexts(details), ...whereToLook(details)],
      facts: [...fact('Registered', `${from} → ${to} of ${details.total}`), ...siteFact(details)],
      lists: phoneLists(details),
      links: causeLink(details.explained_by),
    });
  },

  'registration.removed'({ details }, setting) {
    const thing = phoneName(details);
    return wording(`Extension ${thing} was deleted from the account`, thing, {
      where: ACCOUNT,
      allClear: false,
      ending: 'Ended',
      standing: 'deleted from the account',
      sentences: ['Its phone is no longer watched.'],
      facts: phoneFacts(details, setting),
    });
  },

  'registration.device'({ from, to, details }, setting) {
    const thing = phoneName(details);
    return wording(`New device or firmware on extension ${thing}: ${oneLine(to)}`, thing, {
      where: ACCOUNT,
      facts: [
        ...phoneFacts({ ...details, device: null, since: null }, setting),
        ...fact('Device', from === null ? oneLine(to) : `${oneLine(from)} → ${oneLine(to)}`),
      ],
    });
  },

  'registration.network'({ to, details }, setting) {
    const thing = phoneName(details);
    return wording(`Extension ${thing} registers from a new network: ${oneLine(to)}`, thing, {
      where: ACCOUNT,
      sentences: ['If nobody has moved this phone, somebody else may be using its password: change it.'],
      facts: phoneFacts({ ...details, since: null }, setting),
    });
  },

  'registration.flapping'({ from, to, details }, setting) {
    const thing = phoneName(details);
    const stable = to === null;
    return wording(
      stable
        ? `Extension ${thing} is stable again: online for an hour, lost ${times(Number(from))} before that`
        : `Extension ${thing} comes and goes: lost ${times(to)} within an hour`,
      thing,
      {
        where: ACCOUNT,
        standing: stable ? 'stable' : 'comes and goes',
        sentences: stable ? [] : ['Next from us: when it has been stable for an hour.'],
        facts: phoneFacts({ ...details, since: null }, setting),
      },
    );
  },
};

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

export function deviceText({ device }: PhoneDetails): string | null {
  return device === null ? null : oneLine(device);
}
