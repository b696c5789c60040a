/** Nights in which the list of registrations is not what the registrar knows: it stands still, or its tail is cut off. */
import { ordinary, phonesOf, siteDown } from './kinds-place.ts';
import type { Kind, Scene } from './night.ts';
import { MINUTE, type Customer } from './town.ts';

/** How long it lasts. */
export const LASTS_MS = 50 * MINUTE;

function account(scene: Scene): Customer {
  return ordinary(scene, { sizes: Array.from({ length: scene.chance.int(3, 5) }, () => scene.chance.int(7, 13)) });
}

function freeze(scene: Scene, of: Customer): void {
  of.lists.push({ how: 'frozen', from: scene.at, until: scene.at + LASTS_MS });
}

export const LIST_KINDS = {
  'a list that stands still': (scene) => {
    scene.isNoise = true;
    freeze(scene, account(scene));
  },
  'a list that stands still while everything dies': (scene) => {
    const of = account(scene);
    freeze(scene, of);
    scene.lose('provider', of, of.phones, {
      from: scene.at + MINUTE,
      until: scene.end,
      how: 'dropped',
      decidable: false,
    });
  },
  'a list that is cut amid a site': (scene) => {
    const of = account(scene);
    of.gaps = 0;
    scene.isNoise = true;
    const [site] = scene.chance.sample(of.sites.slice(1), 1);
    const first = of.phones.findIndex((phone) => phone.site === site);
    // Some of the site are left, and so many are missing that it would be a mass loss.
    const rows = first + scene.chance.int(1, 3);
    of.lists.push({ how: 'cut', rows, from: scene.at, until: scene.at + LASTS_MS });
  },
  'the site with the highest numbers dies': (scene) => {
    const of = account(scene);
    const site = of.sites.at(-1);
    if (site !== undefined) siteDown(scene, of, site, scene.at, scene.at + scene.minutes(75, 95));
  },
  'most of the site with the highest numbers dies': (scene) => {
    const of = account(scene);
    const site = of.sites.at(-1);
    if (site === undefined) return;
    const [, ...others] = phonesOf(of, site);
    siteDown(scene, of, site, scene.at, scene.at + scene.minutes(75, 95), others);
  },
} as const satisfies Record<string, Kind>;
