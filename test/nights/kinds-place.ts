/** Nights in which something fails at the customer's: sites, models, single phones. */
import type { Cause, Kind, Scene } from './night.ts';
import {
  customer,
  HOUR,
  lose,
  MINUTE,
  SECOND,
  type Customer,
  type CustomerOptions,
  type Phone,
  type Site,
} from './town.ts';

/** An account with some sites, ordinary in size. */
export function ordinary(scene: Scene, options: Partial<CustomerOptions> = {}): Customer {
  const { chance } = scene;
  const sizes = options.sizes ?? Array.from({ length: chance.int(3, 6) }, () => chance.int(4, 13));
  const made = customer(chance, { ...options, sizes });
  made.gaps = 0.002;
  scene.customers.push(made);
  return made;
}

export function phonesOf({ phones }: Customer, ...sites: Site[]): Phone[] {
  return phones.filter(({ site }) => site !== null && sites.includes(site));
}

/** The site goes dark, and its phones with it. */
export function siteDown(
  scene: Scene,
  of: Customer,
  site: Site,
  from: number,
  until: number,
  phones = phonesOf(of, site),
): Cause {
  return scene.lose('site', of, phones, { from, until, name: site.name });
}

function sitesOf(count: number, least: number, most: number) {
  return (scene: Scene): number[] => Array.from({ length: count }, () => scene.chance.int(least, most));
}

function deadSite(sizes: (scene: Scene) => number[], options: Partial<CustomerOptions> = {}, share = 1): Kind {
  return (scene) => {
    const of = ordinary(scene, { ...options, sizes: sizes(scene) });
    const site = scene.chance.pick(of.sites);
    const there = phonesOf(of, site);
    const hit = scene.chance.sample(there, Math.max(3, Math.ceil(there.length * share)));
    siteDown(scene, of, site, scene.at, scene.at + scene.minutes(65, 100), hit);
  };
}

/** Some sites at once, as when the lines of one carrier fail. */
function deadSites(count: number, of: number): Kind {
  return (scene) => {
    const account = ordinary(scene, { sizes: sitesOf(of, 5, 14)(scene) });
    for (const site of scene.chance.sample(account.sites, count)) {
      siteDown(scene, account, site, scene.at + scene.chance.int(0, 60) * SECOND, scene.at + scene.minutes(70, 100));
    }
  };
}

/** Something of the provider's that has nothing to do with phones is open while a site is dead. */
function besideNotice(tell: (scene: Scene, from: number, until: number) => void): Kind {
  return (scene) => {
    const of = ordinary(scene);
    const until = scene.at + scene.minutes(70, 100);
    siteDown(scene, of, scene.chance.pick(of.sites), scene.at, until);
    tell(scene, scene.at, until);
  };
}

function device(share: number): Kind {
  return (scene) => {
    const of = ordinary(scene, { models: 3 });
    const model = scene.chance.pick(of.phones).model;
    const kin = of.phones.filter((phone) => phone.model === model);
    const hit = scene.chance.sample(kin, Math.ceil(kin.length * share));
    const sites = new Set(hit.map(({ site }) => site?.name)).size;
    const others = of.phones.length - kin.length;
    const name = `${model} ${hit[0]?.firmware ?? ''}`;
    const decidable = hit.length >= 4 && sites >= 2 && others >= 6;
    scene.lose('device', of, hit, { from: scene.at, until: scene.at + scene.minutes(70, 100), name, decidable });
  };
}

/** One firmware of a model of which the other firmware stays well. */
function firmware(scene: Scene): void {
  const of = ordinary(scene, { models: 2 });
  const { model, firmware: version } = scene.chance.pick(of.phones);
  const kin = of.phones.filter((phone) => phone.model === model);
  const spared = kin.filter((_, index) => index % 3 === 0);
  for (const each of spared) {
    const agent = each.agent(0).replace(version, '9.9.9.9');
    each.agent = () => agent;
    each.firmware = '9.9.9.9';
  }
  const hit = kin.filter((each) => !spared.includes(each));
  const decidable =
    hit.length >= 4 && new Set(hit.map(({ site }) => site)).size >= 2 && of.phones.length - hit.length >= 6;
  scene.lose('device', of, hit, {
    from: scene.at,
    until: scene.at + scene.minutes(70, 100),
    name: `${model} ${version}`,
    decidable,
  });
}

function single(scene: Scene, of: Customer, phone: Phone, from: number, until: number): void {
  scene.lose('phone', of, [phone], { from, until });
}

/** Phones here and there, each for its own reason. */
function byChance(count: number, withinMs: number, sizes: (scene: Scene) => number[]): Kind {
  return (scene) => {
    const of = ordinary(scene, { sizes: sizes(scene), expiry: scene.chance.pick([60, 120, 300]) });
    const sites = scene.chance.sample(of.sites, count);
    for (const site of sites) {
      const from = scene.at + scene.chance.int(0, withinMs);
      single(scene, of, scene.chance.pick(phonesOf(of, site)), from, from + scene.minutes(40, 80));
    }
  };
}

export const PLACE_KINDS: Readonly<Record<string, Kind>> = {
  'site: small': deadSite((scene) => [3, ...sitesOf(4, 5, 12)(scene)]),
  'site: middling': deadSite(sitesOf(5, 8, 14)),
  'site: large': deadSite((scene) => [30, ...sitesOf(3, 5, 12)(scene)]),
  'site: among many': deadSite(sitesOf(12, 3, 8)),
  'site: of two': deadSite(sitesOf(2, 8, 20)),
  'site: a switch in it': deadSite(sitesOf(4, 10, 20), {}, 0.6),
  'site: registrations of a minute': deadSite(sitesOf(5, 6, 14), { expiry: 60 }),
  'site: registrations of an hour': deadSite(sitesOf(5, 6, 14), { expiry: 3600 }),
  'site: over IPv6': deadSite(sitesOf(4, 6, 14), { ipv6: true }),
  'site: without a name': deadSite(sitesOf(4, 6, 14), { named: false }),
  'site: one model in all': deadSite(sitesOf(4, 6, 14), { models: 1 }),
  'site: down twice': (scene) => {
    const of = ordinary(scene, { expiry: scene.chance.pick([60, 120, 300]) });
    const site = scene.chance.pick(of.sites);
    const again = scene.at + 70 * MINUTE;
    siteDown(scene, of, site, scene.at, scene.at + 40 * MINUTE);
    siteDown(scene, of, site, again, again + 40 * MINUTE);
  },
  'site: single phones before it': (scene) => {
    const of = ordinary(scene, { expiry: 300 });
    const site = scene.chance.pick(of.sites);
    const there = phonesOf(of, site);
    const until = scene.at + 90 * MINUTE;
    siteDown(scene, of, site, scene.at, until, there.slice(0, 2));
    siteDown(scene, of, site, scene.at + scene.minutes(8, 20), until, there.slice(2));
  },
  'two sites': deadSites(2, 6),
  'two sites of three': deadSites(2, 4),
  'three sites of ten': deadSites(3, 10),
  'site beside: SMS delayed': besideNotice((scene, from, until) =>
    scene.notice('SMS delivery delayed', ['SMS'], from - 30 * MINUTE, until + 20 * MINUTE),
  ),
  'site beside: SMS delay ends first': besideNotice((scene, from) =>
    scene.notice('SMS delivery delayed', ['SMS'], from - 30 * MINUTE, from + 30 * MINUTE),
  ),
  'site beside: portal maintenance': besideNotice((scene, from, until) =>
    scene.work('Customer portal upgrade', ['Customer Portal'], from - 20 * MINUTE, until + 15 * MINUTE),
  ),
  'site beside: fax comes later': besideNotice((scene, from) =>
    scene.notice('Fax reception degraded', ['Fax'], from + 25 * MINUTE, from + 70 * MINUTE),
  ),
  'site beside: billing and recording': besideNotice((scene, from, until) =>
    scene.notice('Recordings and invoices late', ['Billing', 'Call Recording'], from - 10 * MINUTE, until),
  ),
  'site beside: calls degraded elsewhere': besideNotice((scene, from, until) =>
    scene.notice('Inbound calls degraded for some numbers', ['Inbound Calls'], from - 15 * MINUTE, until),
  ),
  model: device(1),
  'model: most of it': device(0.8),
  firmware: firmware,
  'model beside: fax degraded': (scene) => {
    device(1)(scene);
    scene.notice('Fax reception degraded', ['Fax'], scene.at - 10 * MINUTE, scene.at + 60 * MINUTE);
  },
  'single phone': (scene) => {
    const of = ordinary(scene);
    single(scene, of, scene.chance.pick(of.phones), scene.at, scene.at + scene.minutes(60, 100));
  },
  'single phones: three in an hour at three sites': byChance(3, HOUR, sitesOf(4, 4, 8)),
  'single phones: three in a small account': byChance(3, HOUR, sitesOf(3, 2, 3)),
  'single phones: all evening': byChance(5, 1.6 * HOUR, sitesOf(6, 8, 16)),
  'single phone: comes and goes': (scene) => {
    const of = ordinary(scene, { expiry: 60 });
    const phone = scene.chance.pick(of.phones);
    single(scene, of, phone, scene.at, scene.at + 9 * MINUTE);
    for (let time = 1; time < 4; time += 1) {
      lose(scene.chance, [phone], scene.at + time * 14 * MINUTE, scene.at + (time * 14 + 9) * MINUTE);
    }
  },
};
