import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';
import { change, message, NOW, opened, recovering, resolved, TIMEZONE } from '../support/messages.ts';
import { RARE_STORIES } from '../support/rare-stories.ts';
import { STORIES } from '../support/stories.ts';
import { httpPeer, status, type HttpPeer } from './http-peer.ts';

const alive = new AbortController().signal;

let peer: HttpPeer;
let pager: Receiver;

beforeEach(async () => {
  peer = await httpPeer();
  peer.answer = status(202, '{"status":"success"}');
  const setting = { timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock: () => NOW, timeoutMs: 5000 };
  pager = createReceiver(
    { type: 'pagerduty', name: 'pager', url: `${peer.url}/v2/enqueue`, routingKey: 'R0UT1NG' },
    setting,
  );
});
afterEach(async () => await peer.close());

describe('PagerDuty', () => {
  it('opens, updates and resolves one incident there for one alert here', async () => {
    for (const story of [opened(), recovering(), resolved()]) await pager.send([story], alive);
    const events = peer.received.map((each) => JSON.parse(each.body) as Record<string, unknown>);
    expect(events.map((each) => each['event_action'])).toEqual(['trigger', 'trigger', 'resolve']);
    expect(new Set(events.map((each) => each['dedup_key'])).size).toBe(1);
    expect(events[0]).toMatchObject({
      routing_key: 'R0UT1NG',
      payload: {
        summary: expect.stringContaining('Trouble: Inbound calls failing on Sydney SIP trunks'),
        source: 'hq/provider',
        severity: 'critical',
        timestamp: '2026-03-24T03:43:00.000Z',
        component: 'Hosted Telephony, SIP Trunks Sydney',
        class: 'notice.opened',
        custom_details: { State: 'Investigating', 'The provider says': expect.stringContaining('busy tone') },
      },
      links: [{ href: 'https://status.example.test/notices/600301', text: 'Provider’s notice' }],
    });
    expect(events[2]).not.toHaveProperty('payload');
  });

  it('raises no severity in an incident that a larger one takes over', async () => {
    const loss = createSampleMessage('outage.suspected', 'pager', NOW);
    const [only] = loss.changes;
    if (only?.transition.kind !== 'outage.suspected') throw new RangeError('a suspicion is its sample');
    const details = { ...only.transition.details, goes_on_in: { alert: 'larger', number: 2 } };
    const merge = { ...loss, changes: [{ ...only, transition: { ...only.transition, details } }] };
    for (const story of [loss, merge]) {
      await pager.send([{ ...story, alert: { ...story.alert, severity: 'critical' } }], alive);
    }
    const events = peer.received.map((each) => JSON.parse(each.body) as { payload: Record<string, unknown> });
    expect(events.map(({ payload: { severity } }) => severity)).toEqual(['critical', 'info']);
    expect(events[1]?.payload['summary']).toMatch(/part of #2 now/);
  });

  it('is not called for what is for information only', async () => {
    const story = STORIES['baseline-with-open-alerts']?.().message ?? opened();
    expect(await pager.send([story], alive)).toEqual({
      kind: 'delivered',
      detail: 'for information only, so not for PagerDuty',
    });
    expect(peer.received).toEqual([]);
  });

  it('triggers again for the reminder of an alert that is open, whatever change that repeats', async () => {
    const edited = RARE_STORIES['notice-edited']?.().message ?? opened();
    expect(edited.changes.map((each) => each.status)).toEqual(['info']);
    expect(await pager.send([edited], alive)).toMatchObject({ detail: 'for information only, so not for PagerDuty' });
    expect(peer.received).toEqual([]);
    await pager.send([{ ...edited, reminder: 1 }], alive);
    expect(JSON.parse(peer.received[0]?.body ?? '')).toMatchObject({
      event_action: 'trigger',
      dedup_key: `linewatch-${edited.alert.id}`,
      payload: { summary: expect.stringContaining('Still open after'), custom_details: { Since: expect.any(String) } },
    });
  });

  it('acknowledges there what somebody has here, and rings again for what is news beside it', async () => {
    const taken = RARE_STORIES['alert-acknowledged']?.().message ?? opened();
    const grown = { ...taken, changes: [...opened().changes, ...taken.changes] };
    for (const story of [taken, grown]) await pager.send([story], alive);
    const events = peer.received.map((each) => JSON.parse(each.body) as Record<string, unknown>);
    expect(events.map((each) => each['event_action'])).toEqual(['acknowledge', 'trigger']);
  });

  it('does not ring again for a word after the end', async () => {
    const story = STORIES['notice-review-after-the-end']?.().message ?? opened();
    await pager.send([story], alive);
    expect(JSON.parse(peer.received[0]?.body ?? '')).toMatchObject({ event_action: 'resolve' });
  });

  it('does not ring for ever for what is no longer watched', async () => {
    const { alert } = opened();
    const details = { reason: '#12 ends with it; how it goes on is unknown.' };
    const gone = { from: null, to: 'provider is no longer watched', details };
    const ends = message([change('linewatch.config', 'linewatch', gone, 'info')], { ...alert, resolvedAt: NOW });
    await pager.send([opened()], alive);
    await pager.send([ends], alive);
    const events = peer.received.map((each) => JSON.parse(each.body) as Record<string, unknown>);
    expect(events.map((each) => each['event_action'])).toEqual(['trigger', 'resolve']);
    expect(new Set(events.map((each) => each['dedup_key'])).size).toBe(1);
  });

  it.each([
    [202, { kind: 'delivered' }],
    [400, { kind: 'permanent', reason: expect.stringContaining('routing key') }],
    [429, { kind: 'transient' }],
    [500, { kind: 'transient' }],
  ])('answers %i', async (code, outcome) => {
    peer.answer = status(code, '');
    expect(await pager.send([opened()], alive)).toMatchObject(outcome);
  });
});
