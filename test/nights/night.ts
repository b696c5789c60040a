/** A night with a known truth, and what it takes to write one. */
import { dice, type Dice } from './dice.ts';
import type { ComponentName, Flip, Notice } from './page.ts';
import { HOUR, isOut, lose, MINUTE, SECOND, type Absence, type Customer, type Phone } from './town.ts';

/** Who or what took these phones. */
export type Culprit = 'site' | 'device' | 'phone' | 'provider';

export interface Cause {
  culprit: Culprit;
  customer: Customer;
  phones: readonly Phone[];
  /** The site, or the model with its firmware; empty otherwise. */
  name: string;
  from: number;
  until: number;
  /** What is known from outside tells it from every other cause. */
  decidable: boolean;
}

export interface Night {
  kind: string;
  seed: number;
  start: number;
  end: number;
  customers: Customer[];
  notices: Notice[];
  flips: Flip[];
  causes: Cause[];
  /** Nothing that happens in it is worth a message about phones. */
  isNoise: boolean;
}

export interface Scene extends Night {
  chance: Dice;
  /** When it begins to happen. */
  at: number;
  minutes(least: number, most: number): number;
  lose(
    culprit: Culprit,
    customer: Customer,
    phones: readonly Phone[],
    times: {
      from: number;
      until: number;
      how?: Absence['how'];
      comebackMs?: number;
      name?: string;
      decidable?: boolean;
    },
  ): Cause;
  notice(subject: string, components: readonly ComponentName[], from: number, until: number): Notice;
  work(subject: string, components: readonly ComponentName[], begins: number, ends: number): Notice;
}

export type Kind = (scene: Scene) => void;

/** Some Monday, and nights of the weeks after it. */
const FIRST_DAY = Date.parse('2026-03-02T00:00:00.000Z');

export function night(kind: string, seed: number, tell: Kind): Night {
  const chance = dice(seed);
  const start = FIRST_DAY + chance.int(0, 20 * 24 * 60) * MINUTE;
  const scene: Scene = {
    kind,
    seed,
    chance,
    start,
    at: start + chance.int(15, 25) * MINUTE + chance.int(0, 59) * 1000,
    end: start + 3 * HOUR,
    customers: [],
    notices: [],
    flips: [],
    causes: [],
    isNoise: false,
    minutes: (least, most) => chance.int(least * 60, most * 60) * 1000,
    lose(culprit, customer, phones, { from, until, how = 'silent', comebackMs, name = '', decidable = true }) {
      lose(chance, phones, from, until, how, comebackMs);
      const cause: Cause = { culprit, customer, phones, name, from, until, decidable };
      scene.causes.push(cause);
      return cause;
    },
    notice(subject, components, from, until) {
      const states = [{ at: from, state: 'investigating', content: `We are investigating. ${subject}.` }];
      if (until - from > 20 * MINUTE) {
        states.push({ at: from + (until - from) / 2, state: 'identified', content: 'The cause was found.' });
      }
      if (until < Infinity) states.push({ at: until, state: 'resolved', content: 'This is resolved.' });
      const notice: Notice = { subject, type: 'unplanned', components, states };
      scene.notices.push(notice);
      return notice;
    },
    work(subject, components, begins, ends) {
      const states = [
        { at: start - HOUR, state: 'scheduled', content: subject },
        { at: begins, state: 'underway', content: 'Work has begun.' },
        { at: ends, state: 'complete', content: 'Work is done.' },
      ];
      const notice: Notice = { subject, type: 'planned', components, states, window: { begins, ends } };
      scene.notices.push(notice);
      return notice;
    },
  };
  tell(scene);
  spreadRefreshes(scene);
  return scene;
}

/**
 * In every second night phones refresh as their makes do, after half to nearly all of the expiry, so that the losses of
 * one moment come over as long. Chance of its own leaves the rest of the night as it is.
 */
function spreadRefreshes({ seed, customers }: Scene): void {
  const chance = dice(seed ^ 0x5f3759df);
  if (chance.chance(0.5)) return;
  for (const { phones } of customers) {
    const shares = new Map<string, number>();
    const isMixed = chance.chance(0.5);
    for (const phone of phones) {
      const ofModel = shares.get(phone.model) ?? chance.int(50, 95) / 100;
      shares.set(phone.model, ofModel);
      phone.refreshShare = isMixed ? chance.int(50, 95) / 100 : ofModel;
    }
  }
}

/** When the registrar lists it no more, for this cause. */
export function goneAt(phone: Phone, { from, until }: Cause, night: Night): number {
  for (let at = from; at < Math.min(until, night.end); at += 30 * SECOND) if (isOut(phone, at)) return at;
  return Infinity;
}

/** For whoever reads what was found. */
export function timeOf(at: number): string {
  return new Date(at).toISOString().slice(5, 16).replace('T', ' ');
}
