/** What every receiver must do, whatever it speaks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Outcome, Receiver } from '../../src/receivers/receiver.ts';
import { opened } from '../support/messages.ts';
import { HOSTILE } from './hostile.ts';

/** The other side of a receiver under test. */
export interface Peer {
  /** A receiver that talks to this side, giving up after `timeoutMs`. */
  receiver: (timeoutMs: number) => Receiver;
  accept: () => void;
  /** A refusal for now. */
  refuseForNow: () => void;
  /** A refusal for good; null where there is none. */
  refuseForGood: (() => void) | null;
  /** Takes what is sent and never answers. */
  hang: () => void;
  /** Resolves when something has arrived. */
  arrived: () => Promise<void>;
  count: () => number;
  close: () => Promise<void>;
  /** Must appear in no outcome. */
  secrets: readonly string[];
}

const LONG = 10_000;
const SHORT = 100;

export function receiverSuite(name: string, start: () => Promise<Peer>): void {
  describe(`${name} as a receiver`, () => {
    let peer: Peer;
    const alive = new AbortController().signal;

    beforeEach(async () => {
      peer = await start();
    });
    afterEach(async () => {
      await peer.close();
    });

    function expectNoSecret(outcome: Outcome): void {
      for (const secret of peer.secrets) expect(JSON.stringify(outcome)).not.toContain(secret);
    }

    it('delivers', async () => {
      peer.accept();
      const outcome = await peer.receiver(LONG).send([opened()], alive);
      expect(outcome).toMatchObject({ kind: 'delivered' });
      expect(peer.count()).toBe(1);
      expectNoSecret(outcome);
    });

    it('calls a refusal for now transient', async () => {
      peer.refuseForNow();
      const outcome = await peer.receiver(LONG).send([opened()], alive);
      expect(outcome).toMatchObject({ kind: 'transient' });
      expectNoSecret(outcome);
    });

    it('calls a refusal for good permanent, where there is one', async () => {
      peer.refuseForGood?.();
      const outcome = await peer.receiver(LONG).send([opened()], alive);
      expect(outcome.kind).toBe(peer.refuseForGood === null ? 'delivered' : 'permanent');
      expectNoSecret(outcome);
    });

    it('gives up on a side that takes everything and answers nothing', async () => {
      peer.hang();
      const outcome = await peer.receiver(SHORT).send([opened()], alive);
      expect(outcome).toMatchObject({ kind: 'transient', reason: expect.stringContaining('no answer in time') });
      expectNoSecret(outcome);
    });

    it('stops when told to', async () => {
      peer.hang();
      const stop = new AbortController();
      const arrived = peer.arrived();
      const sending = peer.receiver(LONG).send([opened()], stop.signal);
      await arrived;
      stop.abort();
      const outcome = await sending;
      expect(outcome).toMatchObject({ kind: 'transient', reason: expect.stringContaining('stopped') });
      expectNoSecret(outcome);
    });

    it('sends nothing when it was stopped before', async () => {
      peer.accept();
      const outcome = await peer.receiver(LONG).send([opened()], AbortSignal.abort());
      expect(outcome).toMatchObject({ kind: 'transient' });
      expect(peer.count()).toBe(0);
    });

    it.each(HOSTILE)('delivers %s without throwing', async (_what, message) => {
      peer.accept();
      expect(await peer.receiver(LONG).send([message()], alive)).toMatchObject({ kind: 'delivered' });
    });
  });
}
