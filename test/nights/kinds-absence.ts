/** Nights and days in which phones are elsewhere, or away, or gone for good: moves, holidays, closed sites, lines that come and go. */
import { ordinary, phonesOf, siteDown } from './kinds-place.ts';
import { goHome } from './kinds-quiet.ts';
import type { Culprit, Kind, Scene } from './night.ts';
import { HOUR, lose, MINUTE, refreshedAt, type Customer, type Phone } from './town.ts';

/** Where routers come out that have a second line. */
const OTHER_LINES = ['185.12.64', '91.203.8', '151.101.7'];

function otherLine({ chance }: Scene, index = 0): string {
  return `${OTHER_LINES[index % OTHER_LINES.length] ?? ''}.${chance.int(1, 250)}`;
}

/** From then on each registers from there as soon as it renews its registration; until then the registrar knows nothing of it. */
function moveTo(phones: readonly Phone[], to: string, from: number, until = Infinity): void {
  for (const phone of phones) {
    const before = phone.address;
    phone.address = (at) => {
      const heard = refreshedAt(phone, at, -Infinity);
      return heard >= from && heard < until ? to : before(at);
    };
  }
}

/** Nobody is offline meanwhile. */
function moves(tell: (scene: Scene, of: Customer, phones: readonly Phone[]) => void, expiry?: number): Kind {
  return (scene) => {
    scene.isNoise = true;
    const sizes = Array.from({ length: scene.chance.int(3, 5) }, () => scene.chance.int(5, 13));
    const of = ordinary(scene, { sizes, ...(expiry !== undefined && { expiry }) });
    of.gaps = 0;
    tell(scene, of, phonesOf(of, scene.chance.pick(of.sites)));
  };
}

interface Office {
  morning: number;
  /** When each comes after the first might, without a reason to be late. */
  usual: ReadonlyMap<Phone, number>;
}

/** Its people go home every evening of three days from a Monday on; the fourth morning is another matter. */
function office(scene: Scene, of: Customer, phones: readonly Phone[]): Office {
  const day = 24 * HOUR;
  scene.start -= (scene.start % day) + ((new Date(scene.start).getUTCDay() + 6) % 7) * day;
  scene.end = scene.start + 5 * day;
  of.gaps = 0;
  // Between half past seven and nine, each at its own hour, some minutes earlier or later.
  const usual = new Map(phones.map((phone) => [phone, scene.minutes(0, 90)]));
  for (let evening = 0; evening < 3; evening += 1) {
    for (const phone of phones) {
      const from = scene.start + evening * day + 7 * HOUR + scene.minutes(0, 40);
      const back = scene.start + evening * day + 20.5 * HOUR + (usual.get(phone) ?? 0) + scene.minutes(0, 12);
      lose(scene.chance, [phone], from, back, 'silent');
    }
  }
  return { morning: scene.start + 3 * day + 20.5 * HOUR, usual };
}

/** They go home once more, and come back the day after the next. */
function stayAway(scene: Scene, phones: readonly Phone[], { morning, usual }: Office): void {
  for (const phone of phones) {
    const back = morning + 24 * HOUR + (usual.get(phone) ?? 0) + scene.minutes(0, 12);
    lose(scene.chance, [phone], morning - 13.5 * HOUR + scene.minutes(0, 40), back, 'silent');
  }
}

/** As on every other evening and morning. */
function comeAsUsual(scene: Scene, phones: readonly Phone[], { morning, usual }: Office): void {
  for (const phone of phones) {
    const from = morning - 13.5 * HOUR + scene.minutes(0, 40);
    lose(scene.chance, [phone], from, morning + (usual.get(phone) ?? 0) + scene.minutes(0, 12), 'silent');
  }
}

function deleteAll(phones: readonly Phone[], at: number): void {
  for (const phone of phones) phone.deletedAt = at;
}

/** For some minutes of each quarter of an hour, five times. */
function comeAndGo(scene: Scene, of: Customer, phones: readonly Phone[], [culprit, name]: [Culprit, string]): void {
  for (let time = 0; time < 5; time += 1) {
    const from = scene.at + time * 17 * MINUTE;
    const until = from + 11 * MINUTE;
    if (time === 4) scene.lose(culprit, of, phones, { from, until, name, comebackMs: 30_000, decidable: false });
    else lose(scene.chance, phones, from, until, 'silent', 30_000);
  }
}

export const ABSENCE_KINDS: Readonly<Record<string, Kind>> = {
  'move: a site to its second line': moves((scene, _, phones) => moveTo(phones, otherLine(scene), scene.at)),
  'move: a site, registrations of an hour': moves(
    (scene, _, phones) => moveTo(phones, otherLine(scene), scene.at),
    3600,
  ),
  'move: and back': moves((scene, _, phones) => {
    moveTo(phones, otherLine(scene), scene.at, scene.at + 80 * MINUTE);
  }, 300),
  'move: half of a site': moves((scene, _, phones) => {
    moveTo(phones.slice(0, Math.ceil(phones.length * 0.6)), otherLine(scene), scene.at);
  }, 300),
  'move: one phone': moves((scene, _, phones) => moveTo(phones.slice(0, 1), otherLine(scene), scene.at), 300),
  'move: phones of one site, each to another address': moves((scene, _, phones) => {
    for (const [index, phone] of phones.slice(0, 3).entries()) moveTo([phone], otherLine(scene, index), scene.at);
  }, 300),
  'move: a site whose line was dead before': (scene) => {
    const of = ordinary(scene, { expiry: scene.chance.pick([60, 120, 300]) });
    of.gaps = 0;
    const site = scene.chance.pick(of.sites);
    const until = scene.at + scene.minutes(30, 40);
    siteDown(scene, of, site, scene.at, until);
    moveTo(phonesOf(of, site), otherLine(scene), until - 2 * MINUTE);
  },
  'habit: a holiday': (scene) => {
    const of = ordinary(scene, { sizes: [13, 6, 4], expiry: 300 });
    const [servers, ...people] = of.phones;
    const staff = servers === undefined ? [] : people;
    const usual = office(scene, of, staff);
    stayAway(scene, staff, usual);
  },
  'habit: a holiday of one site': (scene) => {
    const of = ordinary(scene, { sizes: [13, 8, 7], expiry: 300 });
    const [first] = of.sites;
    const there = first === undefined ? [] : phonesOf(of, first);
    const usual = office(scene, of, of.phones);
    stayAway(scene, there.slice(3), usual);
    comeAsUsual(scene, [...there.slice(0, 3), ...of.phones.filter((phone) => !there.includes(phone))], usual);
  },
  'habit: a holiday at every customer': (scene) => {
    const all = Array.from({ length: 4 }, (_, index) =>
      ordinary(scene, { name: `customer-${index + 1}`, sizes: [6, 5], expiry: 300 }),
    );
    for (const of of all) stayAway(scene, of.phones, office(scene, of, of.phones));
  },
  'habit: two on leave': (scene) => {
    const of = ordinary(scene, { sizes: [9, 8, 7], expiry: 300 });
    const usual = office(scene, of, of.phones);
    const away = scene.chance.sample(of.phones, 2);
    stayAway(scene, away, usual);
    comeAsUsual(
      scene,
      of.phones.filter((phone) => !away.includes(phone)),
      usual,
    );
  },
  // The phones of one site are logged off every evening, and one morning its router is dead.
  'habit: a site that does not come back': (scene) => {
    const of = ordinary(scene, { sizes: [8, 6, 7], expiry: 300 });
    // A Monday: nobody is expected on a Saturday.
    scene.start -= (scene.start % (24 * HOUR)) + ((new Date(scene.start).getUTCDay() + 6) % 7) * 24 * HOUR;
    scene.end = scene.start + 4 * 24 * HOUR;
    const site = scene.chance.pick(of.sites);
    const phones = phonesOf(of, site);
    for (let day = 0; day < 3; day += 1) goHome(scene, phones, day);
    goHome(scene, phones, 3, 16 * HOUR);
    const morning = scene.start + 3 * 24 * HOUR + 20 * HOUR;
    scene.causes.push({
      culprit: 'site',
      customer: of,
      phones,
      name: site.name,
      from: morning,
      until: morning + 3 * HOUR,
      decidable: true,
    });
  },
  // Many deletions at once are told like a loss: a list that was cut short looks the same.
  'closed: a site with all its extensions': (scene) => {
    const of = ordinary(scene);
    scene.end = scene.start + 5 * HOUR;
    deleteAll(phonesOf(of, scene.chance.pick(of.sites)), scene.at);
  },
  'closed: a site, and a line is dead beside it': (scene) => {
    const of = ordinary(scene, { sizes: [9, 8, 7, 12] });
    scene.end = scene.start + 5 * HOUR;
    const [one, other] = scene.chance.sample(of.sites, 2);
    if (one === undefined || other === undefined) return;
    deleteAll(phonesOf(of, one), scene.at);
    siteDown(scene, of, other, scene.at + 40 * MINUTE, scene.at + 110 * MINUTE);
  },
  'site: comes and goes': (scene) => {
    const of = ordinary(scene, { sizes: [9, 8, 7], expiry: 60 });
    scene.end = scene.start + 4 * HOUR;
    const site = scene.chance.pick(of.sites);
    comeAndGo(scene, of, phonesOf(of, site), ['site', site.name]);
  },
  'firm: the provider comes and goes': (scene) => {
    scene.end = scene.start + 4 * HOUR;
    for (let index = 1; index <= 6; index += 1) {
      const of = ordinary(scene, { name: `customer-${index}`, sizes: [5, 4, 6], expiry: 60 });
      comeAndGo(scene, of, of.phones, ['provider', '']);
    }
  },
  'account: comes and goes': (scene) => {
    const of = ordinary(scene, { sizes: [9, 8, 7], expiry: 60 });
    scene.end = scene.start + 4 * HOUR;
    comeAndGo(scene, of, of.phones, ['provider', '']);
  },
};
