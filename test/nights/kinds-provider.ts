/** Nights in which the provider fails: with a notice before, after or never, drop by drop or at once, one customer or twenty. */
import { ordinary, phonesOf, siteDown } from './kinds-place.ts';
import type { Kind, Scene } from './night.ts';
import { customer, MINUTE, SECOND, type Absence, type Customer } from './town.ts';

const TROUBLE = [
  'Registrations failing',
  'Phones cannot register',
  'Loss of service on SIP trunks',
  'Core switch failure',
];

interface Outage {
  /** The share of phones it takes. */
  share?: number;
  how?: Absence['how'];
  /** Minutes after the beginning at which a notice opens; never where it is absent. */
  noticeAfter?: [number, number];
  /** Minutes after its end; default: about then. */
  noticeEndsAfter?: [number, number];
  lastsMinutes?: [number, number];
}

function lasting(scene: Scene, { lastsMinutes: [least, most] = [75, 100] }: Outage): number {
  return scene.at + scene.minutes(least, most);
}

/** So many phones of every customer that it hits are out. */
function hit(scene: Scene, of: Customer, until: number, { share = 1, how = 'silent' }: Outage, from = scene.at): void {
  const taken = scene.chance.sample(of.phones, Math.ceil(of.phones.length * share));
  const sites = new Set(taken.map(({ site }) => site)).size;
  const decidable = sites >= 2 && taken.length >= 3;
  scene.lose('provider', of, taken, { from, until, how, comebackMs: 120 * SECOND, decidable });
}

function admit(scene: Scene, until: number, { noticeAfter, noticeEndsAfter: [least, most] = [0, 10] }: Outage): void {
  if (noticeAfter === undefined) return;
  const from = scene.at + scene.minutes(...noticeAfter);
  scene.notice(
    scene.chance.pick(TROUBLE),
    ['SIP Registration', 'Inbound Calls'],
    from,
    Math.max(from + 5 * MINUTE, until + scene.minutes(least, most)),
  );
}

function outage(plan: Outage, options: Parameters<typeof ordinary>[1] = {}): Kind {
  return (scene) => {
    const of = ordinary(scene, options);
    const until = lasting(scene, plan);
    hit(scene, of, until, plan);
    admit(scene, until, plan);
  };
}

/** Twenty customers of one page, served by one firm. */
export function firm(scene: Scene, count = 20): Customer[] {
  const expiry = scene.chance.pick([120, 300, 600, 1800]);
  for (let index = 0; index < count; index += 1) {
    const sizes = Array.from({ length: scene.chance.int(2, 4) }, () => scene.chance.int(2, 5));
    const of = customer(scene.chance, { name: `customer-${String(index + 1).padStart(2, '0')}`, sizes, expiry });
    of.gaps = 0.001;
    scene.customers.push(of);
  }
  return scene.customers;
}

function firmOutage(plan: Outage, ofThem = 1): Kind {
  return (scene) => {
    const all = firm(scene);
    const until = lasting(scene, plan);
    for (const of of scene.chance.sample(all, Math.ceil(all.length * ofThem))) hit(scene, of, until, plan);
    admit(scene, until, plan);
  };
}

export const PROVIDER_KINDS: Readonly<Record<string, Kind>> = {
  'provider: notice before': outage({ noticeAfter: [-12, -1] }),
  'provider: notice soon': outage({ noticeAfter: [3, 10] }),
  'provider: notice late': outage({ noticeAfter: [25, 60] }),
  'provider: never a notice': outage({}),
  'provider: all at once, never a notice': outage({ how: 'dropped' }),
  'provider: all at once, notice late': outage({ how: 'dropped', noticeAfter: [15, 40] }),
  'provider: drop by drop, notice before': outage({ noticeAfter: [-12, -1] }, { expiry: 3600 }),
  'provider: drop by drop, notice late': outage({ noticeAfter: [20, 45] }, { expiry: 3600 }),
  'provider: drop by drop, never': outage({}, { expiry: 3600 }),
  'provider: half an hour of drops': outage({}, { expiry: 1800 }),
  'provider: half of the phones': outage({ share: 0.5 }),
  'provider: half of the phones, notice': outage({ share: 0.5, noticeAfter: [5, 30] }),
  'provider: a third of the phones': outage({ share: 0.35, how: 'dropped' }),
  'provider: few phones at many sites': outage({}, { sizes: [2, 1, 2, 1, 2] }),
  'provider: one model in all': outage({}, { models: 1 }),
  'provider: says it is over too soon': outage({ noticeAfter: [5, 15], noticeEndsAfter: [-25, -12] }),
  'provider: a component without a notice': (scene) => {
    const until = lasting(scene, {});
    hit(scene, ordinary(scene), until, {});
    scene.flips.push({ component: 'SIP Registration', from: scene.at + scene.minutes(2, 15), until });
  },
  'provider: in two waves': (scene) => {
    const of = ordinary(scene, { expiry: 300 });
    const until = lasting(scene, {});
    const all = scene.chance.sample(of.phones, of.phones.length);
    const half = Math.ceil(all.length / 3);
    const from = scene.at + scene.minutes(12, 25);
    scene.lose('provider', of, all.slice(0, half), { from: scene.at, until });
    scene.lose('provider', of, all.slice(half), { from, until });
    scene.notice('Registrations failing', ['SIP Registration'], scene.at - 5 * MINUTE, until + 5 * MINUTE);
  },
  'provider: planned work that costs phones': (scene) => {
    const of = ordinary(scene);
    const until = lasting(scene, { lastsMinutes: [60, 90] });
    scene.work('Upgrade of registrars', ['SIP Registration'], scene.at - 3 * MINUTE, until + 10 * MINUTE);
    hit(scene, of, until, {});
  },
  'provider: an unrelated notice first, its own later': (scene) => {
    const of = ordinary(scene);
    const until = lasting(scene, {});
    scene.notice('SMS delivery delayed', ['SMS'], scene.at - 40 * MINUTE, until + 40 * MINUTE);
    hit(scene, of, until, {});
    admit(scene, until, { noticeAfter: [15, 35] });
  },
  'provider: a dead site before it': (scene) => {
    const of = ordinary(scene, { sizes: [8, 10, 12, 9, 7], expiry: scene.chance.pick([60, 300]) });
    const site = scene.chance.pick(of.sites);
    const outageAt = scene.at + scene.minutes(20, 35);
    const until = outageAt + scene.minutes(45, 60);
    const dead = phonesOf(of, site);
    siteDown(scene, of, site, scene.at, until + 35 * MINUTE);
    scene.lose(
      'provider',
      of,
      of.phones.filter((phone) => !dead.includes(phone)),
      { from: outageAt, until },
    );
    scene.notice('Registrations failing', ['SIP Registration'], outageAt + scene.minutes(3, 12), until + 2 * MINUTE);
  },
  'provider: some phones stay out': (scene) => {
    const of = ordinary(scene);
    const until = lasting(scene, {});
    const left = scene.chance.sample(of.phones, scene.chance.int(1, 3));
    scene.lose(
      'provider',
      of,
      of.phones.filter((phone) => !left.includes(phone)),
      { from: scene.at, until },
    );
    scene.lose('provider', of, left, { from: scene.at, until: until + 35 * MINUTE, decidable: false });
    scene.notice('Registrations failing', ['SIP Registration'], scene.at + scene.minutes(3, 12), until + 5 * MINUTE);
  },
  'firm: never a notice': firmOutage({}),
  'firm: notice before': firmOutage({ noticeAfter: [-12, -1] }),
  'firm: notice late': firmOutage({ noticeAfter: [15, 40] }),
  'firm: half of the customers': firmOutage({}, 0.5),
  'firm: half of the phones': firmOutage({ share: 0.5, how: 'dropped' }),
  'firm: a site of one customer': (scene) => {
    const all = firm(scene);
    const of = scene.chance.pick(all);
    const site =
      of.sites.toSorted((a, b) => phonesOf(of, b).length - phonesOf(of, a).length)[0] ?? scene.chance.pick(of.sites);
    const there = phonesOf(of, site);
    const until = scene.at + scene.minutes(75, 110);
    scene.lose('site', of, there, { from: scene.at, until, name: site.name, decidable: there.length >= 3 });
  },
  'firm: nine phones of one customer and one of another': (scene) => {
    const [one, other] = firm(scene, 2);
    if (one === undefined || other === undefined) return;
    const big = customer(scene.chance, { name: one.name, sizes: [9, 6, 7], expiry: 120 });
    scene.customers.splice(0, 1, big);
    const [site] = big.sites;
    if (site === undefined) return;
    siteDown(scene, big, site, scene.at, scene.at + 90 * MINUTE);
    scene.lose('phone', other, [scene.chance.pick(other.phones)], {
      from: scene.at + scene.minutes(0, 10),
      until: scene.at + 80 * MINUTE,
    });
  },
};
