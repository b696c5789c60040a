/** Requests about silences. The first part keeps them for all. */
import * as z from 'zod';
import { findMatcherMistakes, describeMistake } from '../../config/matcher-mistakes.ts';
import { ControlRefusal } from '../../control/protocol.ts';
import {
  endOf,
  isActive,
  MOST_SILENCES,
  findSilenceTrouble,
  type Silence,
  type SilenceTrouble,
} from '../../core/alert/silence.ts';
import { isObject } from '../../core/text/plain-object.ts';
import { formatInteger } from '../../core/text/plain.ts';
import { toTimestamp, type Timestamp } from '../../core/transition/details.ts';
import { hashIdentity } from '../../core/transition/transition.ts';
import type { Daemon } from '../loop/daemon.ts';
import { fetchParts } from '../status/daemons.ts';
import { defineRequest } from './request.ts';

/** As pairs: keys come from people, and a record would drop `__proto__` and leave a silence that mutes everything. */
const matchers = z.preprocess(
  (given) => (isObject(given) ? Object.entries(given) : null),
  z.array(z.tuple([z.string(), z.array(z.string())])).min(1, { error: 'a silence without matchers mutes everything' }),
);

export const wantedSilence = z.strictObject({
  matchers,
  from: z.number(),
  until: z.number(),
  comment: z.string().max(1000),
  /** Name of the person. */
  by: z.string().max(200).optional(),
});

export interface SilenceReport extends Pick<Silence, 'id' | 'comment' | 'by'> {
  matchers: Record<string, string[]>;
  from: Timestamp | null;
  until: Timestamp | null;
  state: 'pending' | 'active' | 'expired';
}

/** Silences being added, by daemon: concurrent requests must not each find room for the last one. */
const adding = new WeakMap<Daemon['own'], Promise<unknown>>();

/** Refuses a silence that mutes nothing, lasts too long, or exceeds the limit. */
export const ADD_SILENCE = defineRequest({
  name: 'silence.add',
  asks: wantedSilence,
  changes: true,
  perform(daemon, ask, { now }) {
    const added = (adding.get(daemon.own) ?? Promise.resolve()).then(() => addSilence(daemon, ask, now));
    adding.set(
      daemon.own,
      added.catch(() => undefined),
    );
    return added;
  },
  answer: ({ daemons, performIn }) => performIn(daemons.parts()[0]),
});

export const LIST_SILENCES = defineRequest({
  name: 'silence.list',
  asks: z.strictObject({}),
  changes: false,
  async answer({ daemons, now }) {
    const [first] = await fetchParts(daemons);
    return first.kept.own.silences.map((silence) => reportSilence(silence, now()));
  },
});

export const EXPIRE_SILENCE = defineRequest({
  name: 'silence.expire',
  /** The start of an id suffices if it is unique. */
  asks: z.strictObject({ id: z.string().min(1) }),
  changes: true,
  async perform({ own }, { id }, { now }) {
    const found = own.state.silences.filter((silence) => silence.id.startsWith(id));
    const [silence] = found;
    if (silence === undefined) throw new ControlRefusal(`There is no silence ${id}.`);
    if (found.length > 1) {
      throw new ControlRefusal(`${id} begins the id of ${found.length} silences; give more of it.`);
    }
    if (endOf(silence) <= now()) throw new ControlRefusal(`The silence ${silence.id} has ended already.`);
    await own.happened({ kind: 'silence expired', id: silence.id });
    return reportSilence({ ...silence, expiredAt: now() }, now());
  },
  answer: ({ daemons, performIn }) => performIn(daemons.parts()[0]),
});

async function addSilence(
  { own, matchable }: Daemon,
  { matchers: wanted, from, until, comment, by = '' }: z.output<typeof wantedSilence>,
  now: () => number,
): Promise<SilenceReport> {
  const createdAt = now();
  const standing = own.state.silences.filter((silence) => endOf(silence) > createdAt);
  if (standing.length >= MOST_SILENCES) throw new ControlRefusal(TOO_MANY);
  const trouble = findSilenceTrouble({ from, until }, createdAt);
  if (trouble !== null) throw new ControlRefusal(TROUBLES[trouble]);
  const [mistake] = findMatcherMistakes(wanted, matchable);
  if (mistake !== undefined) throw new ControlRefusal(`This would mute nothing: ${describeMistake(mistake)}.`);
  const id = hashIdentity('silence', wanted, from, until, comment, createdAt).slice(0, 8);
  const person = by.trim() === '' ? {} : { by: by.trim() };
  const made = {
    id,
    matchers: Object.fromEntries(wanted),
    from,
    until,
    comment,
    ...person,
    createdAt,
    expiredAt: null,
  };
  await own.happened({ kind: 'silence', silence: made });
  return reportSilence(made, now());
}

const TOO_MANY = `There are ${formatInteger(MOST_SILENCES)} silences, and there can be no more: expire one, or let one end, before you add another.`;

const TROUBLES: Readonly<Record<SilenceTrouble, string>> = {
  over: 'The silence would be over before it begins.',
  'too far': 'A silence begins within a year.',
  'too long': 'A silence lasts a year at most.',
};

function reportSilence(silence: Silence, now: number): SilenceReport {
  const { id, from, comment, by } = silence;
  const ended = endOf(silence) <= now;
  return {
    id,
    matchers: Object.fromEntries(Object.entries(silence.matchers).map(([key, values]) => [key, [...values]])),
    from: toTimestamp(from),
    until: toTimestamp(endOf(silence)),
    comment,
    ...(by !== undefined && { by }),
    state: ended ? 'expired' : isActive(silence, now) ? 'active' : 'pending',
  };
}
