/** Wording of several phones in one message: the same change of each, new devices and networks, and many accounts. */
import type { Message } from '../../outbox/message.ts';
import type { Kind } from '../../transition/kind.ts';
import type { PhoneDetails } from '../../transition/details.ts';
import type { Transition, TransitionOf } from '../../transition/transition.ts';
import { formatDevice, NAMED, formatPhoneName, formatPlace } from './phone-words.ts';
import { formatAllOf, formatList, toOneLine, formatCount } from '../../text/plain.ts';
import { formatSourceName } from '../baselines.ts';
import { findEarliest } from '../../transition/collections.ts';
import { parseInstant } from '../time.ts';
import { type Combined, createFact, createShortList, createSinceFact, type Setting } from '../wording.ts';
import { CALLED_BY_NAME, SITES_NAMED } from '../../alert/account-titles.ts';

/** Maximum number of items in a list; the others are counted. */
const LISTED = 10;

/** Combines phones with the same change in one sweep. */
export function combinePhones(transitions: readonly Transition[], setting: Setting): Omit<Combined, 'complete'> | null {
  const [first] = transitions;
  if (first === undefined || !first.kind.startsWith('registration.')) return null;
  const phones = transitions.flatMap(({ kind, details }): PhoneDetails[] =>
    kind === first.kind && 'extension' in details ? [details] : [],
  );
  if (phones.length < transitions.length) return null;
  const names = [...new Set(phones.map(formatPhoneName))];
  const thing = formatList(names, 3);
  const headline = formatSameChange(
    first.kind,
    `${names.length === 1 ? 'Extension' : 'Extensions'} ${thing}`,
    names.length,
  );
  if (headline === null) return null;
  return {
    headline,
    thing,
    facts: [
      ...createFact('Site', findCommon(phones.map(formatPlace))),
      ...createFact('Device', findCommon(phones.map(formatDevice))),
      // The alert may be the provider's, and older.
      ...(first.kind === 'registration.lost' ? createSinceFact('Offline since', findFirstLoss(phones), setting) : []),
    ],
    lists: createShortList('Extensions', names, NAMED),
  };
}

/**
 * Combines the end of an alert of several phones if some of them came back before this message. Null for any other
 * message.
 */
export function combineReturns({ alert, changes }: Pick<Message, 'alert' | 'changes'>): Combined | null {
  const ended = changes.filter(
    ({ status, transition: { kind } }) => status === 'resolved' && kind === 'registration.restored',
  );
  const [last, ...others] = ended.flatMap(({ transition }) => ('extension' in transition.details ? [transition] : []));
  const hit = alert.hits?.extension.flatMap(([number]) => number ?? []) ?? [];
  if (last === undefined || others.length > 0 || alert.resolvedAt === null || hit.length < 2) return null;
  const changedNumbers = new Set(
    changes.map(({ transition: { details } }) => ('extension' in details ? details.extension : '')),
  );
  if (hit.every((number) => changedNumbers.has(number))) return null;
  const thing = formatCount(hit.length, 'phone');
  return {
    headline: `${formatAllOf(hit.length, 'phone')} are online again`,
    thing,
    // The duration is that of the alert.
    since: null,
    facts: [],
    lists: createShortList('Extensions', hit, NAMED),
    complete: true,
  };
}

function findFirstLoss(phones: readonly PhoneDetails[]): number | null {
  return findEarliest(phones.map(({ since }) => parseInstant(since)));
}

/** The common value of all texts, or null. */
function findCommon(texts: readonly (string | null)[]): string | null {
  const different = new Set(texts);
  const [only = null] = different;
  return different.size === 1 ? only : null;
}

function formatSameChange(kind: Kind, thing: string, count: number): string | null {
  const are = count === 1 ? 'is' : 'are';
  switch (kind) {
    case 'registration.lost':
      return `${thing} ${are} offline`;
    case 'registration.restored':
      return `${thing} ${are} online again`;
    case 'registration.removed':
      if (count > CALLED_BY_NAME) return `${count} extensions are no longer in the account’s list`;
      return `${thing} ${count === 1 ? 'was' : 'were'} deleted from the account`;
    case 'registration.device':
      return `New devices or firmware: ${thing}`;
    case 'registration.network':
      return `New networks: ${thing}`;
    default:
      return null;
  }
}

/** The headline and the lists are complete. */
const WHOLE = { facts: [], complete: true, instead: true };

type New = TransitionOf<'registration.device'> | TransitionOf<'registration.network'>;

/**
 * Combines new devices and networks of many phones: firmware by model with counts by place, and networks. Null for
 * anything else, and for a few phones of one account.
 */
export function combinePhoneNews(transitions: readonly Transition[], setting: Setting): Combined | null {
  const news = transitions.filter(
    (each): each is New => each.kind === 'registration.device' || each.kind === 'registration.network',
  );
  if (news.length < transitions.length) return null;
  const sources = new Set(news.map(({ source }) => source));
  const kinds = new Set(news.map(({ kind }) => kind));
  if (news.length <= CALLED_BY_NAME && kinds.size === 1 && sources.size === 1) return null;
  const placeOf = ({ source, details: { site, address } }: New): string =>
    sources.size > 1 ? formatSourceName(source, setting) : toOneLine(site ?? address ?? 'an unknown address');
  const called = ({ source, details }: New): string =>
    sources.size > 1 ? `${formatSourceName(source, setting)} ${formatPhoneName(details)}` : formatPhoneName(details);
  const devices = news.filter((each) => each.kind === 'registration.device');
  const networks = news.filter((each) => each.kind === 'registration.network');
  const runs = [...Map.groupBy(devices, ({ to }) => to).values()]
    .toSorted((one, other) => other.length - one.length)
    .map((same) => runText(same, placeOf));
  const moved = networks.map((each) => `${called(each)}: ${toOneLine(each.to)}`);
  return {
    ...WHOLE,
    headline: [
      ...(devices.length === 0 ? [] : [formatNewDevices(devices, runs)]),
      ...(networks.length === 0
        ? []
        : [
            `${formatCount(networks.length, 'phone')} ${networks.length === 1 ? 'has a new network' : 'have new networks'}`,
          ]),
    ].join('; '),
    thing: formatCount(new Set(news.map(({ source, subject }) => `${source} ${subject}`)).size, 'phone'),
    sentences:
      networks.length === 0
        ? []
        : ['If nobody has moved one of them, somebody else may be using its password: change it.'],
    lists: [
      ...createShortList('Firmware', runs.length > 1 ? runs : [], LISTED),
      ...createShortList('New networks', moved, LISTED),
    ],
  };
}

function formatNewDevices(devices: readonly New[], [only = '', ...more]: readonly string[]): string {
  return more.length === 0 ? only : `${formatCount(devices.length, 'phone')} run new firmware`;
}

/** `23 phones run Yealink SIP-T46S 66.87.0.1 now (66.86.0.15 before): Richmond 12, Perth 11` */
function runText(same: readonly TransitionOf<'registration.device'>[], placeOf: (of: New) => string): string {
  const [{ to } = { to: '' }] = same;
  const before = [...new Set(same.flatMap(({ from }) => (from === null ? [] : [without(from, to)])))];
  const places = [...Map.groupBy(same, placeOf)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([place, some]) => `${place} ${some.length}`);
  const was = before.length === 0 ? '' : ` (${formatList(before, CALLED_BY_NAME)} before)`;
  const runs = same.length === 1 ? 'runs' : 'run';
  return `${formatCount(same.length, 'phone')} ${runs} ${toOneLine(to)} now${was}: ${formatPlaces(places)}`;
}

/** The firmware version alone, if the model is the same. */
function without(from: string, to: string): string {
  const [before, after] = [toOneLine(from).split(' '), toOneLine(to).split(' ')];
  const same = before.findIndex((word, index) => word !== after[index]);
  return before.slice(Math.max(0, same)).join(' ');
}

function formatPlaces(places: readonly string[]): string {
  const more = places.length - SITES_NAMED;
  return [...places.slice(0, SITES_NAMED), ...(more > 0 ? [`and ${more} more places`] : [])].join(', ');
}
