import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import type { Message } from '../../src/core/outbox/message.ts';
import { createReceiver } from '../../src/receivers/create.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';
import { renderSlack, SLACK_LIMITS, type SlackPayload } from '../../src/receivers/slack/render.ts';
import {
  announced,
  change,
  message,
  notice,
  NOW,
  opened,
  recovering,
  resolved,
  TIMEZONE,
  update,
} from '../support/messages.ts';
import { FORGED, hostile, HOSTILE, NASTY } from './hostile.ts';
import { httpPeer, status, type HttpPeer } from './http-peer.ts';

const OPTIONS = { timezone: TIMEZONE, instance: 'hq', externalUrl: 'https://linewatch.example.test', now: NOW };
const alive = new AbortController().signal;

function render(story: Message): SlackPayload {
  return renderSlack(composeContent(story, OPTIONS));
}

interface TextObject {
  type: string;
  text: string;
  verbatim?: boolean;
}

/** What we mark up ourselves: a label at the start, in bold, and moments. */
const LABEL = /^\*[^*_~`\n]+\*(?=$|[ \n])/;
const DATE = /<!date\^\d+\^\{date_short_pretty\} \{time\}\|[^<>|^]+>/g;

/** Every object of the payload, at any depth. */
function objects(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objects);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objects)];
}

function texts(payload: SlackPayload): TextObject[] {
  return objects([payload.blocks, payload.attachments]).filter(
    (each): each is Record<string, unknown> & TextObject => typeof each['text'] === 'string',
  );
}

/** Beside our label and our moments there is nothing that Slack reads as more than letters. */
function expectOnlyOurMarks({ text, verbatim }: TextObject): void {
  expect(verbatim).toBe(true);
  const rest = text.replace(LABEL, '').replaceAll(DATE, '');
  expect(rest).not.toMatch(/[*_~`@]|:[^\s:/]+:|(?:^|\s):\S|\n(?!• |and \d+ more$)/);
  expect(text).not.toMatch(/^&gt;/m);
}

function expectWithinLimits(payload: SlackPayload): void {
  const all = texts(payload);
  const blocks = [payload.blocks, ...payload.attachments.map((each) => each.blocks ?? [])];
  const whole = [
    payload.text,
    ...payload.attachments.map((each) => each.fallback ?? ''),
    ...all.map((each) => each.text),
  ].join('');
  expect(whole.length).toBeLessThan(SLACK_LIMITS.total);
  expect(blocks.flat().length).toBeLessThanOrEqual(SLACK_LIMITS.blocks);
  for (const each of all) {
    if (each.type === 'mrkdwn') expectOnlyOurMarks(each);
    else expect(each).toMatchObject({ type: 'plain_text', emoji: false });
    // An empty text object is refused.
    expect(each.text.length).toBeGreaterThan(0);
    expect(each.text.length).toBeLessThanOrEqual(SLACK_LIMITS.section);
    expect(each.type === 'mrkdwn' ? each.text.replaceAll(DATE, '') : each.text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)/);
    // oxlint-disable-next-line no-control-regex -- that none is left is what is tested
    expect(each.text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202a-\u202e]/);
  }
  for (const each of objects(blocks)) {
    if (each['type'] === 'header') {
      expect((each['text'] as TextObject).text.length).toBeLessThanOrEqual(SLACK_LIMITS.header);
    }
    if (Array.isArray(each['fields'])) {
      expect(each['fields'].length).toBeLessThanOrEqual(SLACK_LIMITS.fields);
      for (const { text } of each['fields'] as TextObject[]) {
        expect(text.length).toBeLessThanOrEqual(SLACK_LIMITS.field);
      }
    }
    if (each['type'] === 'button') expect(each['url']).toMatch(/^https?:\/\//);
    if (each['type'] === 'context') expect((each['elements'] as unknown[]).length).toBeLessThanOrEqual(10);
  }
}

describe('a Slack payload', () => {
  it.each([
    ['critical', opened(), '#c62828'],
    ['recovering, which is still critical', recovering(), '#c62828'],
    ['resolved', resolved(), '#2e7d32'],
    ['for information', announced(), '#2f6fba'],
  ])('has a colour for what is %s', (_what, story, colour) => {
    expect(render(story).attachments[0]?.color).toBe(colour);
  });

  it('reads well as one line', () => {
    expect(render(opened()).text).toBe(
      'Trouble: Inbound calls failing on Sydney SIP trunks — the provider is investigating (#12 · Critical · New · provider). ' +
        'Since: Tue 24 Mar 14:41 AEDT. Affects: Hosted Telephony, SIP Trunks Sydney. ' +
        '“We are receiving reports that inbound calls to Sydney numbers fail with a busy tone. Our engineers are looking into it.”',
    );
  });

  it('has its labels in bold and its moments in the zone of each reader', () => {
    const said = texts(render(opened()));
    const since = Date.UTC(2026, 2, 24, 3, 41) / 1000;
    const date = `<!date^${since}^{date_short_pretty} {time}|Tue 24 Mar 14:41 AEDT>`;
    for (const text of [
      `*Since:* ${date}`,
      '*State:* Investigating',
      '*Affects:* Hosted Telephony, SIP Trunks Sydney',
      '*In the provider’s words*',
      '*Investigating*',
      date,
    ]) {
      expect(said).toContainEqual({ type: 'mrkdwn', text, verbatim: true });
    }
  });

  it('shows where a window begins and where it ends', () => {
    const said = texts(render(announced())).map((each) => each.text);
    expect(said).toContainEqual(
      expect.stringMatching(
        /^\*Window:\* <!date\^\d+\^\{date_short_pretty\} \{time\}\|Sat 28 Mar 01:00 AEDT> – <!date\^\d+\^\{date_short_pretty\} \{time\}\|Sat 28 Mar 03:00 AEDT>$/,
      ),
    );
  });

  it.each(['*bold*', '_x_', '~x~', '`x`', '<!channel>', ':fire:', 'x:+1:', ':)', '@here', '<!date^1^{date}|x>', '> x'])(
    'shows %s of the provider’s as it is written',
    (mark) => {
      const all = `Trunk ${mark} down`;
      const details = notice(
        { subject: all },
        { updates: [update(mark, `${mark}\n${mark}`, 1)], components: [{ id: '1', name: all }] },
      );
      const changes = [change('notice.opened', 'notice/1', { from: null, to: mark, details }, 'open')];
      const payload = render(message(changes, { title: all, source: all }, { first: true }));
      expectWithinLimits(payload);
      const escaped = all.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(texts(payload)).toContainEqual({
        type: 'plain_text',
        text: expect.stringContaining(escaped),
        emoji: false,
      });
    },
  );

  it('keeps a label in bold beside a value that must stay plain', () => {
    const details = notice(
      {},
      { components: [{ id: '1', name: 'Trunk *bold* _x_ <!channel> :fire: <!date^1^{date}|x>' }] },
    );
    const payload = render(
      message(
        [change('notice.opened', 'notice/1', { from: null, to: ':fire:', details }, 'open')],
        {},
        { first: true },
      ),
    );
    expectWithinLimits(payload);
    const said = texts(payload);
    const label = said.findIndex((each) => each.text === '*Affects:*');
    expect(said[label + 1]).toEqual({
      type: 'plain_text',
      text: 'Trunk *bold* _x_ &lt;!channel&gt; :fire: &lt;!date^1^{date}|x&gt;',
      emoji: false,
    });
    const state = said.findIndex((each) => each.text === '*State:*');
    expect(said[state + 1]).toMatchObject({ type: 'plain_text', text: expect.stringContaining(':fire:') });
    expect(said.findIndex((each) => each.text.startsWith('*Since:*'))).toBeGreaterThan(state + 1);
  });

  it('links to the notice and to the alert', () => {
    const urls = objects(render(opened()).attachments).flatMap((each) =>
      each['type'] === 'button' ? [each['url']] : [],
    );
    expect(urls).toEqual(['https://status.example.test/notices/600301', 'https://linewatch.example.test/alerts/12']);
  });

  it('names as many components as fit and counts the rest', () => {
    const components = Array.from({ length: 200 }, (_, index) => ({
      id: String(index),
      name: `Component number ${index}`,
    }));
    const details = notice({}, { components });
    const story = message([
      change('notice.opened', 'notice/600301', { from: null, to: 'investigating', details }, 'open'),
    ]);
    expect(JSON.stringify(render(story))).toMatch(/\*Affects:\* Component number 0, .* and 1\d\d more/);
  });

  it('cuts a long text at a word and says where the rest is', () => {
    const details = notice({}, { updates: [update('investigating', 'endless '.repeat(2000), 1)] });
    const story = message([
      change('notice.update', 'notice/600301', { from: 'investigating', to: 'investigating', details }, 'update'),
    ]);
    const said = texts(render(story)).map((each) => each.text);
    expect(said.some((text) => text.endsWith('endless…'))).toBe(true);
    expect(said).toContain('Shortened: the rest is in the provider’s notice (link below).');
  });

  it('lets nothing of the provider take effect', () => {
    const payload = render(hostile(NASTY, NASTY));
    expectWithinLimits(payload);
    expect(payload.text).not.toMatch(/[<>]/);
    expect(payload).toMatchObject({ mrkdwn: false, link_names: false, unfurl_links: false });
    expect(JSON.stringify(payload)).not.toContain('javascript:');
    expect(JSON.stringify(payload)).toContain('&lt;!channel&gt;');
  });

  it.each(HOSTILE)('stays within the limits with %s', (_what, story) => {
    expectWithinLimits(render(story()));
  });

  it('keeps a forged line break out of the header and the fallback', () => {
    const payload = render(hostile(FORGED, FORGED));
    expect(payload.text).not.toContain('\n');
    expect(payload.blocks[0]).toMatchObject({ text: { text: expect.stringMatching(/^[^\n]*$/) } });
  });

  it('stays within the limits whatever the lengths', () => {
    const unit = fc.constantFrom('a', ' ', '&', '<', '>', '😀', '\n', 'ß', '\ud83d', '\u0000', '*', '_', ':', '@');
    const text = (most: number) => fc.string({ unit, maxLength: most });
    const updates = fc.array(fc.record({ state: fc.option(text(200)), content: text(9000) }), {
      maxLength: 40,
      size: 'max',
    });
    fc.assert(
      fc.property(text(4000), text(400), updates, fc.nat(300), (subject, name, said, components) => {
        const details = notice(
          { subject },
          {
            updates: said.map(({ state, content }, index) => update(state, content, index)),
            components: Array.from({ length: components }, (_, index) => ({
              id: String(index),
              name: `${name}${index}`,
            })),
          },
        );
        const changes = [
          change('notice.opened', 'notice/1', { from: null, to: 'investigating', details }, 'open'),
          change(
            'notice.impact',
            'notice/1',
            { from: [], to: details.components?.map((each) => each.id) ?? [], details },
            'update',
          ),
        ];
        expectWithinLimits(
          render({
            ...message(changes, { title: subject, source: name }),
            replaces: 7,
            unsaved: true,
            promisedAt: NOW - 1e9,
          }),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('Slack’s answers', () => {
  let peer: HttpPeer;
  let slack: Receiver;

  beforeEach(async () => {
    peer = await httpPeer();
    const setting = { timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock: () => NOW, timeoutMs: 5000 };
    slack = createReceiver({ type: 'slack', name: 'ops', webhookUrl: `${peer.url}/services/T0/B0/secret` }, setting);
  });
  afterEach(async () => await peer.close());

  const sent = new Date(NOW).toUTCString();
  const inTenSeconds = new Date(NOW + 10_000).toUTCString();

  it.each([
    [200, 'ok', {}, { kind: 'delivered' }],
    [200, '', {}, { kind: 'delivered' }],
    [200, '{"ok":true}', {}, { kind: 'delivered' }],
    [200, '{"success":true}', {}, { kind: 'delivered' }],
    [200, '<html>Sign in</html>', {}, { kind: 'transient', reason: 'Slack answered 200, and not as it does' }],
    [
      200,
      '{"ok":false,"error":"channel_not_found"}',
      {},
      { kind: 'permanent', code: 'gone', reason: expect.stringContaining('(channel_not_found)') },
    ],
    [200, '{"ok":false,"error":"ratelimited"}', { 'retry-after': '30' }, { kind: 'transient', retryAfterMs: 30_000 }],
    [429, 'rate_limited', { 'retry-after': '30' }, { kind: 'transient', retryAfterMs: 30_000 }],
    [429, '', { 'retry-after': inTenSeconds, date: sent }, { kind: 'transient', retryAfterMs: 10_000 }],
    [429, '', { 'retry-after': '86400' }, { kind: 'transient', retryAfterMs: 900_000 }],
    [429, '', {}, { kind: 'transient', retryAfterMs: null }],
    [408, '', {}, { kind: 'transient', retryAfterMs: null }],
    [500, 'rollup_error', {}, { kind: 'transient', retryAfterMs: null }],
    [503, '<html>', { 'retry-after': '5' }, { kind: 'transient', retryAfterMs: 5000 }],
    [301, '', { location: 'http://127.0.0.1:1/' }, { kind: 'permanent' }],
    [
      400,
      'invalid_payload',
      {},
      { kind: 'permanent', reason: 'Slack answered 400: it cannot read the message (invalid_payload)' },
    ],
    [403, 'action_prohibited', {}, { kind: 'permanent' }],
    [404, 'no_service', {}, { kind: 'permanent', reason: expect.stringContaining('no_service') }],
    [410, 'channel_is_archived', {}, { kind: 'permanent', reason: expect.stringContaining('archived') }],
    [418, 'secret', {}, { kind: 'permanent', reason: 'Slack answered 418: it refuses what we send' }],
  ])('%i %s %j', async (code, body, headers, outcome) => {
    peer.answer = status(code, body, headers);
    expect(await slack.send([opened()], alive)).toMatchObject(outcome);
    expect(peer.received).toHaveLength(1);
  });

  it('posts the payload as JSON', async () => {
    await slack.send([opened()], alive);
    expect(peer.received[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(peer.received[0]?.body ?? '')).toEqual(
      JSON.parse(JSON.stringify(renderSlack(composeContent(opened(), { ...OPTIONS, externalUrl: null })))),
    );
  });

  it('does not wait for the end of an endless answer', async () => {
    peer.answer = (response) => {
      response.writeHead(200);
      const feed = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', feed);
      feed();
    };
    expect(await slack.send([opened()], alive)).toMatchObject({ kind: 'delivered' });
  });

  it('is transient when nobody listens', async () => {
    await peer.close();
    expect(await slack.send([opened()], alive)).toEqual({
      kind: 'transient',
      code: 'connection',
      reason: 'Slack: the connection was refused',
      retryAfterMs: null,
    });
    peer = await httpPeer();
  });

  it('is transient when the connection breaks before an answer', async () => {
    peer.answer = (response) => response.destroy();
    expect(await slack.send([opened()], alive)).toMatchObject({ kind: 'transient' });
  });

  it('asks for a second between messages', () => {
    expect(slack.minIntervalMs).toBe(1000);
  });
});

it('counts all customers that its lists leave out, where it cuts them too', () => {
  const accounts = Array.from({ length: 40 }, (_, index) => {
    return { source: `customer with a long name ${'x'.repeat(60)} ${index}`, total: 10, down: 9, most: 9 };
  });
  const loss = createSampleMessage('registration.mass', 'ops', NOW);
  const seen = { lostSince: null, merged: [], shared: { phase: 'open' as const, notice: null, accounts } };
  const message = { ...loss, alert: { ...loss.alert, resolvedAt: null }, seen };
  const content = composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: NOW });
  const text = JSON.stringify(renderSlack(content));
  const rows = text.match(/• [█░]+ /g)?.length ?? 0;
  expect(rows).toBeGreaterThan(4);
  expect(rows).toBeLessThan(10);
  expect(text).toContain(`and ${40 - rows} more`);
});
