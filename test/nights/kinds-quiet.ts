/** Nights in which nothing is wrong with the phones, whatever it looks like. */
import { ordinary } from './kinds-place.ts';
import type { Kind, Scene } from './night.ts';
import { HOUR, MINUTE, lose, phone as makePhone, type Phone } from './town.ts';

function noise(tell: Kind): Kind {
  return (scene) => {
    scene.isNoise = true;
    tell(scene);
  };
}

export const QUIET_KINDS: Readonly<Record<string, Kind>> = {
  'noise: gaps in refreshes': noise((scene) => {
    ordinary(scene).gaps = 0.02;
  }),
  'noise: short failures of the interface': noise((scene) => {
    const of = ordinary(scene);
    for (let time = 0; time < 6; time += 1) {
      const from = scene.start + scene.chance.int(20, 170) * MINUTE;
      of.weather.push({
        from,
        until: from + scene.chance.int(1, 3) * MINUTE,
        error: scene.chance.pick([500, 502, 503, 429]),
      });
    }
  }),
  'noise: reboots': noise((scene) => {
    const of = ordinary(scene, { expiry: 120 });
    for (const each of scene.chance.sample(of.phones, 20)) {
      const from = scene.start + scene.minutes(20, 170);
      lose(scene.chance, [each], from, from + 60_000, 'dropped', 60_000);
    }
  }),
  'noise: a round of firmware': noise((scene) => {
    const of = ordinary(scene, { expiry: 300 });
    for (const each of of.phones) {
      const from = scene.at + scene.minutes(0, 90);
      const [before, after] = [each.agent(0), each.agent(0).replace(each.firmware, '99.1.0.7')];
      each.agent = (at) => (at < from + 2 * MINUTE ? before : after);
      lose(scene.chance, [each], from, from + 90_000, 'silent', 60_000);
    }
  }),
  'noise: notices that cost nobody a phone': noise((scene) => {
    ordinary(scene);
    scene.notice('SMS delivery delayed', ['SMS'], scene.at, scene.at + HOUR);
    scene.work('Upgrade of registrars', ['SIP Registration'], scene.at + 30 * MINUTE, scene.at + 90 * MINUTE);
  }),
  'noise: softphones on mobile networks': noise((scene) => {
    const of = ordinary(scene);
    const [site] = of.sites;
    for (let index = 0; index < 10; index += 1) {
      const extension = String(2001 + index);
      const first = scene.chance.int(1, 200);
      const soft = makePhone(scene.chance, {
        extension,
        site: site ?? null,
        address: '192.0.2.1',
        kind: { model: 'Zoiper', firmware: 'rv2.10.6.2' },
        expiry: 300,
      });
      soft.site = null;
      soft.address = (at) =>
        `100.${64 + ((first + Math.floor(at / (40 * MINUTE))) % 60)}.${(first * 7 + Math.floor(at / (40 * MINUTE)) * 13) % 250}.${first}`;
      of.phones.push(soft);
    }
  }),
  'noise: extensions deleted': noise((scene) => {
    const of = ordinary(scene);
    const gone = scene.chance.sample(of.phones, scene.chance.int(1, 4));
    for (const each of gone) each.deletedAt = scene.at + scene.minutes(0, 40);
  }),
  'noise: evenings outside the watch': noise((scene) => {
    const of = ordinary(scene);
    // What the hours are for: nobody is told of a phone that is switched off when its people go home.
    const day = new Date(scene.at).getUTCDay();
    const today = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][(day + 3) % 7] ?? 'Mon';
    of.settings['registrations'] = { watch_during: [`${today} 08:00-18:00`] };
    for (const each of scene.chance.sample(of.phones, Math.ceil(of.phones.length * 0.6))) {
      lose(scene.chance, [each], scene.at + scene.minutes(0, 40), scene.end - 8 * MINUTE, 'silent');
    }
  }),
  'noise: every evening, learned': noise((scene) => {
    const of = ordinary(scene, { sizes: [3, 4, 3], expiry: 300 });
    scene.start -= scene.start % (24 * HOUR);
    scene.end = scene.start + 4 * 24 * HOUR;
    const phones = scene.chance.sample(of.phones, 6);
    for (let day = 0; day < 4; day += 1) goHome(scene, phones, day);
  }),
};

/** From six in the evening, local time, until the next morning. */
export function goHome(scene: Scene, phones: readonly Phone[], day: number, forMs = 13 * HOUR): void {
  for (const each of phones) {
    const from = scene.start + day * 24 * HOUR + 7 * HOUR + scene.minutes(0, 25);
    lose(scene.chance, [each], from, from + forMs, 'silent');
  }
}
