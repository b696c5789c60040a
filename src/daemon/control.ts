/** What the running daemon can be asked over its control socket, and how it answers. JSON only: it crosses a socket. */
import * as z from 'zod';
import { mistakesInMatchers, sayMistake } from '../config/matcher-mistakes.ts';
import { ControlRefusal, type ControlRoutes } from '../control/protocol.ts';
import {
  endOf,
  isActive,
  troubleWith,
  type Silence,
  type SilenceAsk,
  type SilenceTrouble,
} from '../core/alert/silence.ts';
import type { Message } from '../core/outbox/message.ts';
import { timestamp, type Timestamp } from '../core/transition/details.ts';
import { identity } from '../core/transition/transition.ts';
import { troubleOf } from '../core/view/receiver-standing.ts';
import { reportStatus, type StatusReport } from '../core/view/status-report.ts';
import { type AlertContract, alertRoutes, type AlertWiring } from './alerts.ts';
import { readAsk } from './asking.ts';
import type { Daemon } from './daemon.ts';
import type { Daemons, KeptElsewhere } from './daemons.ts';
import type { RemovedReceiver } from './deliveries.ts';
import type { Delivery } from './delivery.ts';
import type { ReceiverState } from './documents.ts';
import type { ReceiverFacts } from './drawing.ts';

/** As pairs: keys come from people, and a record would drop `__proto__` and leave a silence that mutes everything. */
const matchers = z.preprocess(
  (given) => (typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.entries(given) : null),
  z.array(z.tuple([z.string(), z.array(z.string())])).min(1, { error: 'a silence without matchers mutes everything' }),
);
const silenceAsk = z.strictObject({ matchers, from: z.number(), until: z.number(), comment: z.string().max(1000) });
const chosenAsk = z.strictObject({ receiver: z.string().nullable(), id: z.string().nullable() });

export interface SilenceReport {
  id: string;
  matchers: Record<string, string[]>;
  from: Timestamp | null;
  until: Timestamp | null;
  comment: string;
  state: 'pending' | 'active' | 'expired';
}

export interface DaemonContract extends AlertContract {
  status: { ask: Record<string, never>; answer: StatusReport };
  /** The configuration it runs with, absolute. */
  whose: { ask: Record<string, never>; answer: { file: string } };
  'silence.add': { ask: SilenceAsk; answer: SilenceReport };
  'silence.list': { ask: Record<string, never>; answer: SilenceReport[] };
  'silence.expire': { ask: { id: string }; answer: SilenceReport };
  'deliveries.list': { ask: Record<string, never>; answer: WaitingReport[] };
  /** Both answer with the number of messages they took up. */
  'deliveries.retry': { ask: z.infer<typeof chosenAsk>; answer: number };
  'deliveries.drop': { ask: z.infer<typeof chosenAsk>; answer: number };
}

export interface ControlWiring extends AlertWiring {
  now(): number;
  /** The file of the configuration, absolute. */
  file(): string;
}

export function controlRoutes(wiring: ControlWiring): ControlRoutes<DaemonContract> {
  const { daemons, picture, now } = wiring;
  return {
    status: () => Promise.resolve(reportStatus(picture())),
    whose: () => Promise.resolve({ file: wiring.file() }),
    ...alertRoutes(wiring),
    ...silenceRoutes({ daemons, now }),
    'deliveries.list': () =>
      Promise.resolve([
        ...daemons
          .all()
          .flatMap(({ deliveries, removed }) => [...listDeliveries(deliveries), ...listRemoved(removed.all())]),
        ...daemons.elsewhere().flatMap(({ receivers }) => listKept(receivers)),
      ]),
    'deliveries.retry': async (ask) => orElsewhere(await retried(daemons.all(), ask), ask, daemons),
    'deliveries.drop': async (ask) => orElsewhere(await dropped(daemons.all(), ask), ask, daemons),
  };
}

export type SilenceRoutes = Pick<ControlRoutes<DaemonContract>, 'silence.add' | 'silence.list' | 'silence.expire'>;

export function silenceRoutes({ daemons, now }: Pick<ControlWiring, 'daemons' | 'now'>): SilenceRoutes {
  const known = (): SilenceReport[] =>
    daemons.first().itself.state.silences.map((silence) => reportSilence(silence, now()));
  return {
    async 'silence.add'(ask) {
      const { matchers: wanted, from, until, comment } = readAsk(silenceAsk, ask);
      const createdAt = now();
      const trouble = troubleWith({ from, until }, createdAt);
      if (trouble !== null) throw new ControlRefusal(TROUBLES[trouble]);
      const [mistake] = mistakesInMatchers(wanted, daemons.first().matchable);
      if (mistake !== undefined) throw new ControlRefusal(`This would mute nothing: ${sayMistake(mistake)}.`);
      const id = identity('silence', wanted, from, until, comment, createdAt).slice(0, 8);
      const silence: Silence = {
        id,
        matchers: Object.fromEntries(wanted),
        from,
        until,
        comment,
        createdAt,
        expiredAt: null,
      };
      await daemons.first().itself.happened({ kind: 'silence', silence });
      return reportSilence(silence, now());
    },

    'silence.list': () => Promise.resolve(known()),

    async 'silence.expire'(ask) {
      const { id } = readAsk(z.strictObject({ id: z.string().min(1) }), ask);
      const found = daemons.first().itself.state.silences.filter((silence) => silence.id.startsWith(id));
      const [silence] = found;
      if (silence === undefined) throw new ControlRefusal(`There is no silence ${id}.`);
      if (found.length > 1) {
        throw new ControlRefusal(`${id} begins the id of ${found.length} silences; give more of it.`);
      }
      if (endOf(silence) <= now()) throw new ControlRefusal(`The silence ${silence.id} has ended already.`);
      await daemons.first().itself.happened({ kind: 'silence expired', id: silence.id });
      return reportSilence({ ...silence, expiredAt: now() }, now());
    },
  };
}

const TROUBLES: Readonly<Record<SilenceTrouble, string>> = {
  over: 'The silence would be over before it begins.',
  'too far': 'A silence begins within a year.',
  'too long': 'A silence lasts a year at most.',
};

/** A receiver with messages the operator may choose from. */
interface ReceiverTarget {
  name: string;
  listed(): WaitingReport[];
  /** Answers with the number of messages; null stands for all that it is meant for. */
  act(id: string | null): Promise<number>;
}

function retried(daemons: readonly Daemon[], ask: unknown): Promise<number> {
  const { receiver } = readAsk(chosenAsk, ask);
  if (daemons.flatMap(({ removed }) => removed.all()).some(({ name }) => name === receiver)) {
    throw new ControlRefusal(
      `${receiver} is no longer configured: put it back into the configuration, and it gets what waits; or drop that.`,
    );
  }
  return forChosen(
    deliveriesOf(daemons).map((delivery) => ({ ...targetOf(delivery), act: (id) => delivery.retry(id) })),
    ask,
  );
}

function dropped(daemons: readonly Daemon[], ask: unknown): Promise<number> {
  const { receiver } = readAsk(chosenAsk, ask);
  const removed = daemons.flatMap((daemon) => daemon.removed.all().map((one) => [one, daemon.removed] as const));
  const gone = removed.map(([one, { giveUp }]): ReceiverTarget => ({
    name: one.name,
    listed: () => listRemoved([one]),
    async act(id) {
      // It may still return: all of it goes only where it is named.
      const all = receiver === null ? [] : one.waiting.map((message) => message.id);
      const ids = id === null ? all : [id];
      await giveUp(one.name, ids);
      return ids.length;
    },
  }));
  const here = deliveriesOf(daemons).map((delivery) => ({
    ...targetOf(delivery),
    act: (id: string | null) => delivery.drop(id),
  }));
  return forChosen([...here, ...gone], ask);
}

const deliveriesOf = (daemons: readonly Daemon[]): Delivery[] => daemons.flatMap(({ deliveries }) => deliveries);

function targetOf(delivery: Delivery): Omit<ReceiverTarget, 'act'> {
  return { name: delivery.receiver.name, listed: () => listDeliveries([delivery]) };
}

async function forChosen(targets: readonly ReceiverTarget[], ask: unknown): Promise<number> {
  const { receiver, id } = readAsk(chosenAsk, ask);
  const chosen = targets.filter(({ name }) => receiver === null || name === receiver);
  if (chosen.length === 0) {
    throw new ControlRefusal(
      `There is no receiver ${receiver}; there are: ${[...new Set(targets.map(({ name }) => name))].join(', ')}.`,
    );
  }
  let count = 0;
  for (const target of chosen) {
    const ids =
      id === null
        ? [null]
        : target
            .listed()
            .map((one) => one.id)
            .filter((one) => one.startsWith(id));
    for (const one of ids) count += await target.act(one);
  }
  return count;
}

/** Refuses where nothing was found: another member may have promised it. */
function orElsewhere(count: number, ask: unknown, daemons: Daemons): number {
  const { id } = readAsk(chosenAsk, ask);
  if (id === null || count > 0) return count;
  const isIts = ({ receivers }: KeptElsewhere): boolean => listKept(receivers).some((one) => one.id.startsWith(id));
  const holder = daemons.elsewhere().find(isIts)?.holder ?? null;
  if (holder === null) throw new ControlRefusal(`No message ${id} waits or was refused.`);
  throw new ControlRefusal(`The message ${id} is of a group that ${holder} leads: ask there.`);
}

function reportSilence(silence: Silence, now: number): SilenceReport {
  const { id, from, comment } = silence;
  const ended = endOf(silence) <= now;
  return {
    id,
    matchers: Object.fromEntries(Object.entries(silence.matchers).map(([key, values]) => [key, [...values]])),
    from: timestamp(from),
    until: timestamp(endOf(silence)),
    comment,
    state: ended ? 'expired' : isActive(silence, now) ? 'active' : 'pending',
  };
}

export interface WaitingReport {
  id: string;
  receiver: string;
  /** `removed`: the receiver is no longer configured. */
  state: 'waiting' | 'refused' | 'removed';
  alert: number | null;
  title: string;
  kinds: string[];
  promised_at: Timestamp | null;
  /** Why it was refused, or why the receiver fails now. */
  reason: string | null;
}

function listDeliveries(deliveries: readonly Delivery[]): WaitingReport[] {
  return deliveries.flatMap((delivery) => listUnsettled(delivery.state, delivery.unsettled()));
}

function listKept(receivers: readonly ReceiverFacts[]): WaitingReport[] {
  return receivers.flatMap((one) => (one.isRemoved ? listRemoved([one]) : listUnsettled(one.state, one.unsettled)));
}

function listUnsettled(state: ReceiverState, unsettled: readonly Message[]): WaitingReport[] {
  const trouble = troubleOf(state);
  const reasons = new Map(state.refused.map(({ id, reason }) => [id, reason]));
  return unsettled.map((message) => {
    const refusal = reasons.get(message.id);
    const why = refusal ?? trouble?.reason;
    return reported(message, refusal === undefined ? 'waiting' : 'refused', why);
  });
}

function listRemoved(removed: readonly RemovedReceiver[]): WaitingReport[] {
  return removed.flatMap(({ waiting }) =>
    waiting.map((message) =>
      reported(
        message,
        'removed',
        'the receiver is no longer configured; should it return within a week, it gets this',
      ),
    ),
  );
}

function reported(
  { id, receiver, alert, changes, promisedAt }: Message,
  state: WaitingReport['state'],
  reason: string | undefined,
): WaitingReport {
  return {
    id,
    receiver,
    state,
    alert: alert.number,
    title: alert.title,
    kinds: [...new Set(changes.map(({ transition }) => transition.kind))],
    promised_at: timestamp(promisedAt),
    reason: reason ?? null,
  };
}
