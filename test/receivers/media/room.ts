/** A stand-in on a port of its own, and a receiver that speaks to it by its preset. */
import { join } from 'node:path';
import { readPreset } from '../../../src/config/presets/preset-file.ts';
import type { Message } from '../../../src/core/outbox/message.ts';
import { createReceiver } from '../../../src/receivers/create.ts';
import type { Receiver } from '../../../src/receivers/receiver.ts';
import type { PresetOptions } from '../../../src/receivers/http/receiver.ts';
import type { Preset } from '../../../src/receivers/http/preset.ts';
import { NOW, TIMEZONE } from '../../support/messages.ts';
import { conversing } from '../conversing.ts';
import { httpPeer, status, type HttpPeer, type Received } from '../http-peer.ts';
import type { Reply, StandIn } from './stand-in.ts';

export const MEDIA = join(import.meta.dirname, '../../../config/media');

export async function presetNamed(name: string): Promise<Preset> {
  const { preset, problems } = await readPreset(join(MEDIA, `${name}.yaml`), name);
  if (preset === null) throw new Error(JSON.stringify(problems));
  return preset;
}

export function written(reply: Reply): HttpPeer['answer'] {
  const { body = '', headers = {} } = reply;
  return status(reply.status, typeof body === 'string' ? body : JSON.stringify(body), headers);
}

export interface Room {
  peer: HttpPeer;
  /** Why requests were refused by the vendor's rules. */
  complaints: string[];
  receiver: (timeoutMs?: number) => Receiver;
  /** Each resolves to what became of it. */
  /** One more receiver for the same room, as after a restart. */
  restarted: (more?: Partial<PresetOptions>, customerLabel?: (source: string) => string | null) => Receiver;
  /** Forgets its conversations, as a crash before they were settled. */
  forget: () => void;
  /** Requests that are no edits of earlier messages. */
  news: () => Received[];
  send: (...messages: readonly Message[]) => ReturnType<Receiver['send']>;
  /** Judges from now on what it gets, as the vendor does. */
  judge: () => void;
  /** Answers the next request so, and judges those after it. */
  answerOnce: (reply: Reply) => void;
}

/** The vendor's rules decide, until told otherwise. */
export async function openRoom(preset: Preset, standIn: StandIn, clock: () => number = () => NOW): Promise<Room> {
  const peer = await httpPeer();
  const complaints: string[] = [];
  const make = (timeoutMs = 5000): Receiver =>
    createReceiver(
      { type: 'http', name: 'medium', preset, keys: standIn.keys(peer.url), maxADay: 1_000_000 },
      { timezone: TIMEZONE, instance: 'hq', externalUrl: 'https://lw.example.test', clock, timeoutMs },
    );
  const restarted: Room['restarted'] = (more = {}, customerLabel = () => null) =>
    conversing(
      createReceiver(
        { type: 'http', name: 'medium', preset, keys: standIn.keys(peer.url), maxADay: null, ...more },
        { timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock, timeoutMs: 5000, customerLabel },
      ),
    ).receiver;
  const own = conversing(make());
  const room: Room = {
    peer,
    complaints,
    receiver: make,
    restarted,
    forget: own.forget,
    news: () =>
      peer.received.filter((request) => standIn.isEdit?.(request) !== true && standIn.isSignIn?.(request) !== true),
    send: async (...messages) => await own.receiver.send(messages, new AbortController().signal),
    judge() {
      peer.answer = (response) => {
        const request = peer.received.at(-1);
        const refused = request === undefined ? 'no request' : standIn.refuses(request);
        if (refused !== null) complaints.push(refused);
        const { taken } = standIn;
        const reply = typeof taken === 'function' && request !== undefined ? taken(request) : taken;
        const answer = typeof reply === 'function' ? { status: 500 } : reply;
        written(refused === null ? answer : { status: 400, body: { error: refused } })(response);
      };
    },
    answerOnce(reply) {
      room.judge();
      const { answer } = peer;
      peer.answer = (response) => {
        const request = peer.received.at(-1);
        if (request !== undefined && standIn.isSignIn?.(request) === true) return answer(response);
        room.judge();
        written(reply)(response);
      };
    },
  };
  room.judge();
  return room;
}
