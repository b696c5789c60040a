/** What is new of many phones, in one message: firmware by model with how many there are where, and networks. */
import type { Transition, TransitionOf } from '../transition/transition.ts';
import { SITES_NAMED } from '../alert/phone-titles.ts';
import { phoneName } from './registration.ts';
import { andMore, listed, oneLine, plural } from '../text/plain.ts';
import { list, type List, type Setting } from './wording.ts';

export interface NewOfPhones {
  headline: string;
  thing: string;
  sentences: string[];
  lists: List[];
}

type New = TransitionOf<'registration.device'> | TransitionOf<'registration.network'>;

/** So few of one kind are called by their names. */
const CALLED_BY_NAME = 3;
const LISTED = 10;

/** Null for anything else, and for a few phones of one account. */
export function newOfPhones(transitions: readonly Transition[], setting: Setting): NewOfPhones | null {
  const news = transitions.filter(
    (each): each is New => each.kind === 'registration.device' || each.kind === 'registration.network',
  );
  if (news.length < transitions.length) return null;
  const sources = new Set(news.map(({ source }) => source));
  const kinds = new Set(news.map(({ kind }) => kind));
  if (news.length <= CALLED_BY_NAME && kinds.size === 1 && sources.size === 1) return null;
  const placeOf = ({ source, details: { site, address } }: New): string =>
    sources.size > 1 ? customerOf(source, setting) : oneLine(site ?? address ?? 'an unknown address');
  const named = ({ source, details }: New): string =>
    sources.size > 1 ? `${customerOf(source, setting)} ${phoneName(details)}` : phoneName(details);
  const devices = news.filter((each) => each.kind === 'registration.device');
  const networks = news.filter((each) => each.kind === 'registration.network');
  const runs = [...Map.groupBy(devices, ({ to }) => to).values()]
    .toSorted((one, other) => other.length - one.length)
    .map((same) => runText(same, placeOf));
  const moved = networks.map((each) => `${named(each)}: ${oneLine(each.to)}`);
  return {
    headline: [
      ...(devices.length === 0 ? [] : [headlineOf(devices, runs)]),
      ...(networks.length === 0
        ? []
        : [`${plural(networks.length, 'phone')} ${networks.length === 1 ? 'has a new network' : 'have new networks'}`]),
    ].join('; '),
    thing: plural(new Set(news.map(({ source, subject }) => `${source} ${subject}`)).size, 'phone'),
    sentences:
      networks.length === 0
        ? []
        : ['If nobody has moved one of them, somebody else may be using its password: change it.'],
    lists: [...list('Firmware', runs.length > 1 ? cutTo(runs) : []), ...list('New networks', cutTo(moved))],
  };
}

function headlineOf(devices: readonly New[], [only = '', ...more]: readonly string[]): string {
  return more.length === 0 ? only : `${plural(devices.length, 'phone')} run new firmware`;
}

/** `23 phones run Yealink SIP-T46S 66.87.0.1 now (66.86.0.15 before): Richmond 12, Perth 11` */
function runText(same: readonly TransitionOf<'registration.device'>[], placeOf: (of: New) => string): string {
  const [{ to } = { to: '' }] = same;
  const before = [...new Set(same.flatMap(({ from }) => (from === null ? [] : [without(from, to)])))];
  const places = [...Map.groupBy(same, placeOf)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([place, some]) => `${place} ${some.length}`);
  const was = before.length === 0 ? '' : ` (${listed(before, CALLED_BY_NAME)} before)`;
  const runs = same.length === 1 ? 'runs' : 'run';
  return `${plural(same.length, 'phone')} ${runs} ${oneLine(to)} now${was}: ${listedInline(places)}`;
}

/** The firmware alone, where the model is the same. */
function without(from: string, to: string): string {
  const [before, after] = [oneLine(from).split(' '), oneLine(to).split(' ')];
  const same = before.findIndex((word, index) => word !== after[index]);
  return before.slice(Math.max(0, same)).join(' ');
}

function listedInline(places: readonly string[]): string {
  const more = places.length - SITES_NAMED;
  return [...places.slice(0, SITES_NAMED), ...(more > 0 ? [`and ${more} more places`] : [])].join(', ');
}

function cutTo(items: readonly string[]): string[] {
  return [...items.slice(0, LISTED), ...andMore(items.length - LISTED)];
}

function customerOf(source: string, setting: Setting): string {
  return oneLine(setting.customer(source) ?? source);
}
