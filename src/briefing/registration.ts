/** Wording of what happens to phones: lost, back, coming and going, somewhere or something new. */
import type { Kind } from '../transition/kind.ts';
import type { MassDetails, PhoneCount, PhoneDetails, PhonesDetails, Transition } from '../transition/transition.ts';
import { capital, listed, oneLine, plural } from './text.ts';
import { instant } from './time.ts';
import type { Fact, List, Setting, Tellers, Wording } from './wording.ts';
import { fact, list, named, timeText, wording } from './wording.ts';

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
  const called = name === null ? '' : oneLine(name);
  return called === '' || called === extension ? oneLine(extension) : `${oneLine(extension)} (${called})`;
}

/** What is known, and what is not. */
function counted({ registered, total }: PhoneCount): string {
  return `${registered} of ${plural(total, 'phone')} of the account ${total === 1 ? 'is' : 'are'} registered; calls are not tested.`;
}

function place({ site, address }: PhoneDetails): string | null {
  if (address === null || site === null || site === address) return address;
  return `${oneLine(site)} (${address})`;
}

function phoneFacts(details: PhoneDetails, setting: Setting): Fact[] {
  return [
    ...fact('Extension', phoneName(details)),
    ...fact('Site', place(details)),
    ...fact('Device', deviceText(details)),
    ...fact('Missing since', timeText(details.since, setting)),
  ];
}

/** `at Richmond (203.0.113.7)`, `with Yealink SIP-T46S 66.86.0.15`, `of the account` */
export function inDomain({ domain }: PhonesDetails): string {
  const name = named(domain.name);
  switch (domain.kind) {
    case 'site':
      return `at ${name}${domain.address === null || domain.address === domain.name ? '' : ` (${domain.address})`}`;
    case 'model':
      return `of the model ${name}`;
    case 'firmware':
      return `with ${name}`;
    case 'account':
      return 'of the account';
  }
}

/** `14 of 14 phones at Richmond (203.0.113.7)` */
export function phonesOf(details: PhonesDetails): string {
  return `${details.down} of ${plural(details.total, 'phone')} ${inDomain(details)}`;
}

export function phoneLists({ phones, more, sites }: PhonesDetails): List[] {
  const names = [...phones.map(phoneName), ...(more > 0 ? [`${more} more`] : [])];
  return [...list('Extensions', names), ...(sites.length > 1 ? list('Sites', sites) : [])];
}

export function causeOf(cause: MassDetails['explained_by']): string[] {
  if (cause === undefined) return [];
  return [`The provider has trouble that may explain it: #${cause.number} “${named(cause.title)}”.`];
}

/** The provider may have open trouble that has nothing to do with it. */
function whereToLook({ domain, sites, explained_by: cause }: MassDetails): string[] {
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
      return [...trouble, `They are at ${plural(sites.length, 'site')}, so no single site explains it.`];
  }
}

function several(details: PhonesDetails, from: number, to: number): Wording {
  const where = inDomain(details);
  const thing = `phones ${where}`;
  const all = details.down === 0;
  const headline = all
    ? `All ${plural(details.total, 'phone')} ${where} are registered again`
    : `Registered again: ${to} of ${plural(details.total, 'phone')} ${where}; ${details.down} still missing`;
  return wording(headline, thing, {
    where: ACCOUNT,
    standing: all ? 'all registered again' : `${details.down} of ${details.total} not registered`,
    // The alert may be the provider's, and much older.
    since: instant(details.since),
    sentences: ['Calls are not tested.'],
    facts: fact('Registered', `${from} → ${to} of ${details.total}`),
    lists: all ? [] : phoneLists(details),
  });
}

export const registrationWording: Tellers<PhoneKind> = {
  'registration.lost'({ details }, setting) {
    const thing = `extension ${phoneName(details)}`;
    return wording(`Not registered: ${thing}`, thing, {
      where: ACCOUNT,
      standing: 'not registered',
      sentences: [counted(details.phones)],
      facts: phoneFacts(details, setting),
    });
  },

  'registration.restored'(transition, setting) {
    const { details } = transition;
    if (!('extension' in details)) return several(details, Number(transition.from), Number(transition.to));
    const thing = `extension ${phoneName(details)}`;
    return wording(`Registered again: ${thing}`, thing, {
      where: ACCOUNT,
      standing: 'registered again',
      // Its alert may be about other phones as well, and older.
      since: instant(details.since),
      sentences: [counted(details.phones)],
      facts: phoneFacts({ ...details, since: null }, setting),
    });
  },

  'registration.mass'({ from, to, details }) {
    return wording(`Not registered: ${phonesOf(details)}`, `phones ${inDomain(details)}`, {
      where: ACCOUNT,
      standing: `${details.down} of ${details.total} not registered`,
      since: instant(details.since),
      sentences: whereToLook(details),
      facts: fact('Registered', `${from} → ${to} of ${details.total}`),
      lists: phoneLists(details),
    });
  },

  'registration.removed'({ details }, setting) {
    const thing = `extension ${phoneName(details)}`;
    return wording(`No longer in the account: ${thing}`, thing, {
      where: ACCOUNT,
      allClear: false,
      ending: 'Ended',
      standing: 'no longer in the account',
      sentences: ['The extension was deleted, so nothing is missing any more.'],
      facts: phoneFacts(details, setting),
    });
  },

  'registration.device'({ from, to, details }, setting) {
    const thing = `extension ${phoneName(details)}`;
    return wording(`New device or firmware on ${thing}: ${oneLine(to)}`, thing, {
      where: ACCOUNT,
      facts: [
        ...phoneFacts({ ...details, device: null, since: null }, setting),
        ...fact('Device', from === null ? oneLine(to) : `${oneLine(from)} → ${oneLine(to)}`),
      ],
    });
  },

  'registration.network'({ to, details }, setting) {
    const thing = `extension ${phoneName(details)}`;
    return wording(`${capital(thing)} registers from a new network: ${oneLine(to)}`, thing, {
      where: ACCOUNT,
      sentences: ['If nobody has moved this phone, somebody else may be using its password.'],
      facts: phoneFacts({ ...details, since: null }, setting),
    });
  },

  'registration.flapping'({ from, to, details }, setting) {
    const thing = `extension ${phoneName(details)}`;
    const stable = to === null;
    return wording(
      stable
        ? `Stable for an hour: ${thing} — lost ${times(Number(from))} before that`
        : `Comes and goes: ${thing} was lost ${times(to)} within an hour`,
      thing,
      {
        where: ACCOUNT,
        standing: stable ? 'stable' : 'comes and goes',
        sentences: stable ? [] : ['You hear of it again when it has been stable for an hour.'],
        facts: phoneFacts({ ...details, since: null }, setting),
      },
    );
  },
};

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Several phones that go the same way in one sweep are one piece of news. */
export function manyPhones(
  transitions: readonly Transition[],
): Pick<Wording, 'headline' | 'thing' | 'facts' | 'lists'> | null {
  const [first] = transitions;
  if (first === undefined || !first.kind.startsWith('registration.')) return null;
  const phones = transitions.flatMap(({ kind, details }): PhoneDetails[] =>
    kind === first.kind && 'extension' in details ? [details] : [],
  );
  if (phones.length < transitions.length) return null;
  const names = [...new Set(phones.map(phoneName))];
  const thing = `${names.length === 1 ? 'extension' : 'extensions'} ${listed(names, 3)}`;
  const headline = manyHeadline(first.kind, thing);
  if (headline === null) return null;
  return {
    headline,
    thing,
    facts: [...fact('Site', shared(phones.map(place))), ...fact('Device', shared(phones.map(deviceText)))],
    lists: list('Extensions', names),
  };
}

/** What is the same of all. */
function shared(texts: readonly (string | null)[]): string | null {
  const different = new Set(texts);
  const [only = null] = different;
  return different.size === 1 ? only : null;
}

function deviceText({ device }: PhoneDetails): string | null {
  return device === null ? null : oneLine(device);
}

function manyHeadline(kind: Kind, thing: string): string | null {
  switch (kind) {
    case 'registration.lost':
      return `Not registered: ${thing}`;
    case 'registration.restored':
      return `Registered again: ${thing}`;
    case 'registration.device':
      return `New devices or firmware on ${thing}`;
    case 'registration.network':
      return `New networks of ${thing}`;
    default:
      return null;
  }
}
