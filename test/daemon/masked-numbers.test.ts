/** Telephone numbers reach a receiver whole only where its configuration says so, and the history never. */
import { describe, expect, test } from 'vitest';
import { formatCallsTitle } from '../../src/core/alert/calls-titles.ts';
import { toTransitionRecord } from '../../src/core/history/record.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { callSamples } from '../../src/core/wording/samples/sample-calls.ts';
import type { Kind } from '../../src/core/transition/kind.ts';
import type { ContentOf } from '../../src/core/transition/transition.ts';
import { withMaskedNumbers } from '../../src/daemon/setup/receivers.ts';
import { createCompose } from '../../src/receivers/receiver.ts';
import { change, message, NOW, TIMEZONE } from '../support/messages.ts';
import { recordingReceiver } from '../support/running-daemon.ts';

const SIGNAL = new AbortController().signal;
const compose = createCompose({ timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock: () => NOW });
const KINDS = Object.keys(callSamples) as (keyof typeof callSamples)[];
const WITH_NUMBERS = ['calls.missed', 'fraud.suspected', 'route.dead'] as const;
/** Numbers of the samples, in whatever groups. */
const WHOLE = /491\s?570\s?156|37\s?1234\s?567|(?:71|7)?\s?234\s?567|390\s?004\s?100|9000\s?4100|555\s?019/;

function messageOf(kind: keyof typeof callSamples): Message {
  const { subject, status, ...content } = callSamples[kind](NOW);
  // The kind and its content come from one sample; the compiler cannot follow the pairing.
  const told = change(kind as Kind, subject, content as ContentOf<Kind>, status);
  const title = formatCallsTitle(told.transition)?.title ?? 'Callers';
  return message([told], { title });
}

async function readBy(kind: keyof typeof callSamples, isMasked: boolean): Promise<string> {
  const receiver = recordingReceiver('people', 'people');
  const asked = isMasked ? withMaskedNumbers(receiver) : receiver;
  await asked.send([messageOf(kind)], SIGNAL);
  return JSON.stringify([receiver.sent, receiver.sent.map(compose)]);
}

describe('a receiver', () => {
  test.each(KINDS)('with masked numbers reads no whole one of %s', async (kind) => {
    expect(await readBy(kind, true)).not.toMatch(WHOLE);
  });

  test.each(WITH_NUMBERS)('with whole numbers reads those of %s', async (kind) => {
    expect(await readBy(kind, false)).toMatch(WHOLE);
  });
});

test.each(KINDS)('the history keeps no whole number of %s', (kind) => {
  const [told] = messageOf(kind).changes;
  expect(told).toBeDefined();
  if (told !== undefined) {
    expect(JSON.stringify(toTransitionRecord(told.transition, told.status, null))).not.toMatch(WHOLE);
  }
});

test.each(KINDS)('the title of an alert of %s has no whole number', (kind) => {
  expect(JSON.stringify(messageOf(kind).alert)).not.toMatch(WHOLE);
});
