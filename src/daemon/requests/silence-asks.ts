/** Requests about silences, from the control socket and the page. The first part keeps them for all. */
import * as z from 'zod';
import { findMatcherMistakes, describeMistake } from '../../config/matcher-mistakes.ts';
import { ControlRefusal, type ControlRoutes } from '../../control/protocol.ts';
import {
  endOf,
  isActive,
  MOST_SILENCES,
  troubleWith,
  type Silence,
  type SilenceAsk,
  type SilenceTrouble,
} from '../../core/alert/silence.ts';
import { isObject } from '../../core/text/plain-object.ts';
import { toTimestamp, type Timestamp } from '../../core/transition/details.ts';
import { hashIdentity } from '../../core/transition/transition.ts';
import { readAsk } from './asking.ts';
import type { Daemon } from '../loop/daemon.ts';
import { doneIn, partsOfNow, type Daemons, type Request } from '../status/daemons.ts';

/** As pairs: keys come from people, and a record would drop `__proto__` and leave a silence that mutes everything. */
const matchers = z.preprocess(
  (given) => (isObject(given) ? Object.entries(given) : null),
  z.array(z.tuple([z.string(), z.array(z.string())])).min(1, { error: 'a silence without matchers mutes everything' }),
);
const silenceAsk = z.strictObject({ matchers, from: z.number(), until: z.number(), comment: z.string().max(1000) });
const expireAsk = z.strictObject({ id: z.string().min(1) });

export interface SilenceReport {
  id: string;
  matchers: Record<string, string[]>;
  from: Timestamp | null;
  until: Timestamp | null;
  comment: string;
  state: 'pending' | 'active' | 'expired';
}

export interface SilenceContract {
  'silence.add': { ask: SilenceAsk; answer: SilenceReport };
  'silence.list': { ask: Record<string, never>; answer: SilenceReport[] };
  'silence.expire': { ask: { id: string }; answer: SilenceReport };
}

export type SilenceRoutes = ControlRoutes<SilenceContract>;

export interface SilenceWiring {
  daemons: Daemons;
  now(): number;
}

/** Invalid requests are refused here, before they are forwarded to the leader. */
export function silenceRoutes({ daemons, now }: SilenceWiring): SilenceRoutes {
  const { add, expire } = silenceRequests(now);
  return {
    async 'silence.add'(ask) {
      readAsk(silenceAsk, ask);
      return await doneIn(daemons.parts()[0], add, ask);
    },
    async 'silence.list'() {
      const [first] = await partsOfNow(daemons);
      return first.kept.own.silences.map((silence) => reportSilence(silence, now()));
    },
    async 'silence.expire'(ask) {
      readAsk(expireAsk, ask);
      return await doneIn(daemons.parts()[0], expire, ask);
    },
  };
}

/** Both reject with `ControlRefusal` and a sentence on the error in the silence or its id. */
export function silenceRequests(now: () => number): Record<'add' | 'expire', Request<SilenceReport>> {
  // One at a time: concurrent requests must not each find room for the last silence.
  let adding: Promise<unknown> = Promise.resolve();

  return {
    add: {
      name: 'silence.add',
      deed(daemon, ask) {
        const added = adding.then(() => addTo(daemon, ask, now));
        adding = added.catch(() => undefined);
        return added;
      },
    },
    expire: {
      name: 'silence.expire',
      async deed({ itself }, ask) {
        const { id } = readAsk(expireAsk, ask);
        const found = itself.state.silences.filter((silence) => silence.id.startsWith(id));
        const [silence] = found;
        if (silence === undefined) throw new ControlRefusal(`There is no silence ${id}.`);
        if (found.length > 1) {
          throw new ControlRefusal(`${id} begins the id of ${found.length} silences; give more of it.`);
        }
        if (endOf(silence) <= now()) throw new ControlRefusal(`The silence ${silence.id} has ended already.`);
        await itself.happened({ kind: 'silence expired', id: silence.id });
        return reportSilence({ ...silence, expiredAt: now() }, now());
      },
    },
  };
}

async function addTo({ itself, matchable }: Daemon, ask: unknown, now: () => number): Promise<SilenceReport> {
  const { matchers: wanted, from, until, comment } = readAsk(silenceAsk, ask);
  const createdAt = now();
  const standing = itself.state.silences.filter((silence) => endOf(silence) > createdAt);
  if (standing.length >= MOST_SILENCES) throw new ControlRefusal(TOO_MANY);
  const trouble = troubleWith({ from, until }, createdAt);
  if (trouble !== null) throw new ControlRefusal(TROUBLES[trouble]);
  const [mistake] = findMatcherMistakes(wanted, matchable);
  if (mistake !== undefined) throw new ControlRefusal(`This would mute nothing: ${describeMistake(mistake)}.`);
  const id = hashIdentity('silence', wanted, from, until, comment, createdAt).slice(0, 8);
  const made = { id, matchers: Object.fromEntries(wanted), from, until, comment, createdAt, expiredAt: null };
  await itself.happened({ kind: 'silence', silence: made });
  return reportSilence(made, now());
}

const TOO_MANY = `There are ${MOST_SILENCES.toLocaleString('en')} silences, and there can be no more: expire one, or let one end, before you add another.`;

const TROUBLES: Readonly<Record<SilenceTrouble, string>> = {
  over: 'The silence would be over before it begins.',
  'too far': 'A silence begins within a year.',
  'too long': 'A silence lasts a year at most.',
};

function reportSilence(silence: Silence, now: number): SilenceReport {
  const { id, from, comment } = silence;
  const ended = endOf(silence) <= now;
  return {
    id,
    matchers: Object.fromEntries(Object.entries(silence.matchers).map(([key, values]) => [key, [...values]])),
    from: toTimestamp(from),
    until: toTimestamp(endOf(silence)),
    comment,
    state: ended ? 'expired' : isActive(silence, now) ? 'active' : 'pending',
  };
}
