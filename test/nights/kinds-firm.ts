/** Nights of a firm with many customers of one provider, in which losses, notices and their ends come in awkward orders. */
import { firm } from './kinds-provider.ts';
import type { Kind, Scene } from './night.ts';
import { customer, MINUTE, SECOND, type Customer } from './town.ts';

/** Phones of a customer that no cause of the night has taken yet. */
function left(scene: Scene, of: Customer): Customer['phones'] {
  const taken = new Set(scene.causes.flatMap(({ phones }) => phones));
  return of.phones.filter((phone) => !taken.has(phone));
}

/** One phone, lost for a reason of its own for the rest of the night. */
function loseOne(scene: Scene, of: Customer, from: number): void {
  const [phone] = scene.chance.sample(left(scene, of), 1);
  if (phone !== undefined) scene.lose('phone', of, [phone], { from, until: scene.end, decidable: false });
}

function loseShare(scene: Scene, of: Customer, share: number, [from, until]: readonly [number, number]): void {
  const free = left(scene, of);
  const phones = scene.chance.sample(free, Math.ceil(free.length * share));
  scene.lose('provider', of, phones, { from, until, comebackMs: 120 * SECOND, decidable: false });
}

/** A phone is lost and told, then an incident opens, then half of the phones of some customers are lost. */
function earlyLoss(customers: number, early: number, hit: number): Kind {
  return (scene) => {
    const all = scene.chance.sample(firm(scene, customers), customers);
    for (const of of all.slice(0, early)) loseOne(scene, of, scene.at);
    const opens = scene.at + scene.minutes(35, 45);
    const from = opens + scene.minutes(2, 8);
    const until = from + scene.minutes(60, 75);
    scene.notice('Registrations failing', ['SIP Registration'], opens, until + scene.minutes(2, 10));
    for (const of of all.slice(0, hit)) loseShare(scene, of, 0.5, [from, until]);
  };
}

/** Expiries differ from customer to customer, so the losses of one outage come over an hour. */
function mixExpiries(scene: Scene, customers: readonly Customer[]): void {
  for (const { phones } of customers) {
    const expiryMs = scene.chance.pick([120, 300, 600, 1800, 3600]) * SECOND;
    for (const phone of phones) Object.assign(phone, { expiryMs, phaseMs: scene.chance.int(0, expiryMs) });
  }
}

/** Twenty customers with one site each, as most small firms are. */
function firmOfOneSite(scene: Scene): Customer[] {
  const expiry = scene.chance.pick([120, 300, 600, 1800]);
  for (let index = 0; index < 20; index += 1) {
    const name = `customer-${String(index + 1).padStart(2, '0')}`;
    const of = customer(scene.chance, { name, sizes: [scene.chance.int(3, 12)], expiry });
    of.gaps = 0.001;
    scene.customers.push(of);
  }
  return scene.customers;
}

/** All phones of some customers, of which none could tell it from its router by itself. */
function outageOfOneSite(hit: number, noticeAfter?: readonly [number, number]): Kind {
  return (scene) => {
    const all = firmOfOneSite(scene);
    const until = scene.at + scene.minutes(60, 80);
    for (const of of scene.chance.sample(all, hit)) {
      scene.lose('provider', of, of.phones, { from: scene.at, until, comebackMs: 120 * SECOND });
    }
    if (noticeAfter === undefined) return;
    scene.notice('Registrations failing', ['SIP Registration'], scene.at + scene.minutes(...noticeAfter), until);
  };
}

export const FIRM_KINDS: Readonly<Record<string, Kind>> = {
  'firm: early loss, an incident, half of both customers': earlyLoss(2, 1, 2),
  'firm: early loss, an incident, half of ten of twenty': earlyLoss(20, 1, 10),
  'firm: early losses, an incident, half of all': earlyLoss(20, 6, 20),
  'firm: early losses, an incident, half of two of twenty': earlyLoss(20, 2, 2),
  'firm: drop by drop, a notice in between': (scene) => {
    const all = firm(scene);
    mixExpiries(scene, all);
    const until = scene.at + scene.minutes(100, 110);
    scene.notice('Registrations failing', ['SIP Registration'], scene.at + scene.minutes(10, 30), until + 5 * MINUTE);
    for (const of of all) loseShare(scene, of, 0.6, [scene.at, until]);
  },
  'firm: two incidents, the second named later': (scene) => {
    const all = firm(scene);
    mixExpiries(scene, all);
    const until = scene.at + scene.minutes(90, 100);
    scene.notice('Portal slow, some calls fail', ['Customer Portal', 'Inbound Calls'], scene.at - 10 * MINUTE, until);
    scene.notice('Registrations failing', ['SIP Registration'], scene.at + scene.minutes(20, 30), until + 8 * MINUTE);
    for (const of of all) loseShare(scene, of, 0.5, [scene.at, until]);
  },
  'firm: said to be over while half are out': (scene) => {
    const all = firm(scene);
    const until = scene.at + scene.minutes(80, 100);
    scene.notice('Registrations failing', ['SIP Registration'], scene.at - 5 * MINUTE, scene.at + 40 * MINUTE);
    for (const of of all) loseShare(scene, of, 0.5, [scene.at, scene.at + 35 * MINUTE]);
    for (const of of all.slice(0, 10)) loseShare(scene, of, 1, [scene.at + scene.minutes(0, 20), until]);
  },
  'firm: out twice, a notice each time': (scene) => {
    const all = firm(scene);
    for (const from of [scene.at, scene.at + 60 * MINUTE]) {
      const until = from + scene.minutes(20, 30);
      scene.notice('Registrations failing', ['SIP Registration'], from + scene.minutes(-3, 12), until + 5 * MINUTE);
      for (const of of all) loseShare(scene, of, 0.4, [from, until]);
    }
  },
  'firm: one site each, never a notice': outageOfOneSite(12),
  'firm: one site each, notice before': outageOfOneSite(12, [-12, -1]),
  'firm: one site each, notice late': outageOfOneSite(7, [15, 30]),
  'firm: the only site of one customer': (scene) => {
    const of = scene.chance.pick(firmOfOneSite(scene));
    const until = scene.at + scene.minutes(60, 80);
    scene.lose('site', of, of.phones, { from: scene.at, until, name: of.sites[0]?.name ?? '', decidable: false });
  },
  'firm: one site each, a dead one among them': (scene) => {
    const all = firmOfOneSite(scene);
    const [dead, ...others] = scene.chance.sample(all, 9);
    const until = scene.at + scene.minutes(90, 110);
    if (dead === undefined) return;
    scene.lose('site', dead, dead.phones, { from: scene.at, until, name: dead.sites[0]?.name ?? '', decidable: false });
    const from = scene.at + scene.minutes(20, 30);
    for (const of of others) scene.lose('provider', of, of.phones, { from, until: from + 40 * MINUTE });
    scene.notice('Registrations failing', ['SIP Registration'], from + scene.minutes(3, 12), from + 42 * MINUTE);
  },
};
