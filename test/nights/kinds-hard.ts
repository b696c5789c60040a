/** Nights that look like something else: odd shapes of accounts, chance beside a cause, a provider that fails a little. */
import { ordinary, phonesOf, siteDown } from './kinds-place.ts';
import { firm } from './kinds-provider.ts';
import type { Kind, Scene } from './night.ts';
import { customer, HOUR, lose, MINUTE, SECOND, type Customer } from './town.ts';

/** Every phone asks for a time of its own, as where makes are mixed. */
function mixExpiries(scene: Scene, { phones }: Customer): void {
  for (const each of phones) {
    each.expiryMs = scene.chance.pick([60, 300, 600, 1800, 3600]) * SECOND;
    each.phaseMs = scene.chance.int(0, each.expiryMs);
  }
}

/** Single phones of an account that are lost for reasons of their own. */
function byTheWay(scene: Scene, of: Customer, count: number): void {
  const taken = new Set(scene.causes.flatMap(({ phones }) => phones));
  const free = of.phones.filter((phone) => !taken.has(phone));
  for (const phone of scene.chance.sample(free, count)) {
    const from = scene.at + scene.minutes(-10, 30);
    scene.lose('phone', of, [phone], { from, until: from + scene.minutes(50, 80), decidable: false });
  }
}

function provider(
  scene: Scene,
  of: Customer,
  share: number,
  until: number,
  how: 'silent' | 'dropped' = 'silent',
): void {
  const hit = scene.chance.sample(of.phones, Math.ceil(of.phones.length * share));
  const sites = new Set(hit.map(({ site }) => site)).size;
  scene.lose('provider', of, hit, {
    from: scene.at,
    until,
    how,
    comebackMs: 120 * SECOND,
    // Less is no mass loss by default, and told phone by phone.
    decidable: share > 0.3 && sites >= 3 && hit.length >= 5,
  });
}

function outageOf(share: number, shape: (scene: Scene) => Customer, how: 'silent' | 'dropped' = 'silent'): Kind {
  return (scene) => {
    provider(scene, shape(scene), share, scene.at + scene.minutes(75, 95), how);
  };
}

const headquarters = (scene: Scene): Customer => ordinary(scene, { sizes: [30, 4, 5, 3, 4] });
const homeOffices = (scene: Scene): Customer =>
  ordinary(scene, { sizes: [12, ...Array.from({ length: 12 }, () => 1)] });

function mixed(scene: Scene): Customer {
  const of = ordinary(scene);
  mixExpiries(scene, of);
  return of;
}

export const HARD_KINDS: Readonly<Record<string, Kind>> = {
  'hard: a site of mixed expiries': (scene) => {
    const of = mixed(scene);
    siteDown(scene, of, scene.chance.pick(of.sites), scene.at, scene.at + scene.minutes(75, 95));
  },
  'hard: a site with single phones lost beside it': (scene) => {
    const of = ordinary(scene, { sizes: [9, 12, 10, 8, 11] });
    siteDown(scene, of, scene.chance.pick(of.sites), scene.at, scene.at + scene.minutes(75, 95));
    byTheWay(scene, of, 2);
  },
  'hard: headquarters down': (scene) => {
    const of = headquarters(scene);
    const [site] = of.sites;
    if (site !== undefined) siteDown(scene, of, site, scene.at, scene.at + scene.minutes(75, 95));
  },
  'hard: a branch of headquarters down': (scene) => {
    const of = headquarters(scene);
    const site = scene.chance.pick(of.sites.slice(1));
    siteDown(scene, of, site, scene.at, scene.at + scene.minutes(75, 95));
  },
  'hard: the office among home offices down': (scene) => {
    const of = homeOffices(scene);
    const [site] = of.sites;
    if (site !== undefined) siteDown(scene, of, site, scene.at, scene.at + scene.minutes(75, 95));
  },
  'hard: a site whose interface fails meanwhile': (scene) => {
    const of = ordinary(scene);
    siteDown(scene, of, scene.chance.pick(of.sites), scene.at, scene.at + scene.minutes(75, 95));
    for (let time = 0; time < 4; time += 1) {
      const from = scene.at + scene.minutes(-5, 60);
      of.weather.push({ from, until: from + scene.chance.int(1, 3) * MINUTE, error: 503 });
    }
  },
  'hard: a site with a model of its own': (scene) => {
    const of = ordinary(scene, { models: 2 });
    const [site, other] = of.sites;
    const [kind] = of.phones;
    if (site === undefined || other === undefined || kind === undefined) return;
    // All phones of one make are there, and a few of others.
    for (const each of of.phones) {
      const own = each.site === site && Number(each.extension) % 4 !== 0;
      const [model, firmware] = own ? ['Fanvil X4', '2.12.1'] : [kind.model, kind.firmware];
      each.model = model;
      each.firmware = firmware;
      each.agent = () => `${model} ${firmware}`;
    }
    const all = phonesOf(of, site);
    const decidable = all.some(({ model }) => model !== 'Fanvil X4');
    scene.lose('site', of, all, { from: scene.at, until: scene.at + 85 * MINUTE, name: site.name, decidable });
  },
  'hard: two sites a quarter of an hour apart': (scene) => {
    const of = ordinary(scene, { sizes: [8, 9, 10, 7, 12, 6], expiry: scene.chance.pick([60, 300, 600]) });
    const [one, two] = scene.chance.sample(of.sites, 2);
    const until = scene.at + 90 * MINUTE;
    if (one !== undefined) siteDown(scene, of, one, scene.at, until);
    if (two !== undefined) siteDown(scene, of, two, scene.at + scene.minutes(10, 20), until);
  },
  'hard: a model at one site and a site elsewhere': (scene) => {
    const of = ordinary(scene, { sizes: [10, 12, 11, 9, 8], models: 3, expiry: 300 });
    const model = scene.chance.pick(of.phones).model;
    const [site] = scene.chance.sample(of.sites, 1);
    if (site === undefined) return;
    siteDown(scene, of, site, scene.at, scene.at + 85 * MINUTE);
    const kin = of.phones.filter((phone) => phone.model === model && phone.site !== site);
    const from = scene.at + scene.minutes(20, 30);
    const decidable = kin.length >= 5;
    const name = `${model} ${kin[0]?.firmware ?? ''}`;
    scene.lose('device', of, kin, { from, until: scene.at + 85 * MINUTE, name, decidable });
  },
  'hard: the provider takes a quarter': outageOf(
    0.25,
    (scene) => ordinary(scene, { sizes: [9, 12, 10, 8, 11] }),
    'dropped',
  ),
  'hard: the provider takes a quarter, drop by drop': outageOf(0.25, (scene) =>
    ordinary(scene, { sizes: [9, 12, 10, 8, 11], expiry: 1800 }),
  ),
  'hard: the provider, mixed expiries': outageOf(1, mixed),
  'hard: the provider, headquarters and branches': outageOf(1, headquarters),
  'hard: the provider, half of headquarters and branches': outageOf(0.5, headquarters, 'dropped'),
  'hard: the provider, home offices': outageOf(1, homeOffices),
  'hard: the provider, without names': outageOf(1, (scene) => ordinary(scene, { named: false, expiry: 3600 })),
  'hard: the provider, single phones lost before it': (scene) => {
    const of = ordinary(scene, { expiry: 300 });
    const [first, second] = scene.chance.sample(of.phones, 2);
    for (const phone of [first, second]) {
      if (phone !== undefined) lose(scene.chance, [phone], scene.at - scene.minutes(10, 14), scene.at + 2 * HOUR);
    }
    const left = of.phones.filter((phone) => phone !== first && phone !== second);
    scene.lose('provider', of, left, { from: scene.at, until: scene.at + 80 * MINUTE });
  },
  'hard: the provider, a notice that closes and opens again': (scene) => {
    const of = ordinary(scene, { expiry: 300 });
    const until = scene.at + 85 * MINUTE;
    provider(scene, of, 1, until);
    scene.notice('Registrations failing', ['SIP Registration'], scene.at + 8 * MINUTE, scene.at + 35 * MINUTE);
    scene.notice('Registrations failing again', ['SIP Registration'], scene.at + 50 * MINUTE, until + 5 * MINUTE);
  },
  'hard: three customers of twenty': (scene) => {
    const until = scene.at + 80 * MINUTE;
    const all = firm(scene);
    for (const of of scene.chance.sample(all, 3)) provider(scene, of, 1, until);
    // Who looks at each of them alone, and at all twenty, may well find three troubles.
    for (const cause of scene.causes) cause.decidable = false;
  },
  'hard: a dead site at two customers of twenty': (scene) => {
    for (const of of scene.chance.sample(firm(scene), 2)) {
      const site = of.sites.toSorted((a, b) => phonesOf(of, b).length - phonesOf(of, a).length)[0];
      if (site === undefined) continue;
      const there = phonesOf(of, site);
      const decidable = there.length >= 3;
      const times = { from: scene.at + scene.minutes(0, 20), until: scene.at + 85 * MINUTE };
      scene.lose('site', of, there, { ...times, name: site.name, decidable });
    }
  },
  'hard: a customer alone of one site': (scene) => {
    const of = customer(scene.chance, { sizes: [12], expiry: 300 });
    scene.customers.push(of);
    const cause = siteDown(scene, of, of.sites[0] ?? { name: '', address: '' }, scene.at, scene.at + 80 * MINUTE);
    cause.decidable = false;
  },
};
