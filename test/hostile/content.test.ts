/**
 * null, HTML, Markdown or 100 kB of content; `<!channel>`, `@here`, `<http://evil.test|ok>`; CR LF in a subject: what the
 * provider writes is shown and never obeyed. From its answer through the loops of the daemon to what the servers of
 * Slack, mail and a webhook got. The same through a whole process, and more of it: test/receivers/*.test.ts.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createReceiver } from '../../src/receivers/create.ts';
import type { Receiver } from '../../src/receivers/receiver.ts';
import type { Fault } from '../../src/simulator/fault/fault.ts';
import { startHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts';
import { startMailbox, type Mail, type Mailbox } from '../support/mailbox.ts';
import { everyone } from '../support/running-daemon.ts';
import type { CloudEvent } from '../support/site.ts';
import { SETTINGS, watchAccount } from './watched-account.ts';
import { START, watchProvider } from './watched-provider.ts';

const EVIL = 'http://evil.test/';
const NASTY = `<!channel> @here <${EVIL}|ok> *b* Calls\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>\u0000\u001B[31m\u202Egnp`;
const CONTENT = [
  '<!everyone> <@U012345> <#C012345> <!subteam^S012345> @channel @everyone',
  `<${EVIL}|click> [click](${EVIL}) ![x](${EVIL}x.png) <a href="${EVIL}">click</a> **bold** # heading \`code\` {{7*7}}`,
  `<script>alert(1)</script><img src="${EVIL}x.png" onerror="alert(1)"><style>*{display:none}</style>`,
  '</td></table></body></html>\u0000\u001B[31mred\u0007\u009B31m\u202Egnp\uFEFF',
].join('\r\n');

let slack: HttpReceiver;
let bus: HttpReceiver;
let mailbox: Mailbox;
let receivers: Receiver[];
const open: (() => Promise<void>)[] = [];

beforeEach(async () => {
  [slack, bus, mailbox] = [await startHttpReceiver(), await startHttpReceiver(), await startMailbox()];
  const smtp = {
    host: '127.0.0.1',
    port: mailbox.port,
    security: 'none',
    username: null,
    password: null,
    ca: null,
  } as const;
  const setting = { clock: () => START, instance: 'hq', timezone: 'Australia/Melbourne', externalUrl: null };
  const webhookUrl = `${slack.url}/services/T0/B0/x`;
  // Slack's one message a second would be waited for on a clock that stands still.
  const { minIntervalMs: _, ...hurried } = createReceiver({ type: 'slack', name: 'slack', webhookUrl }, setting);
  receivers = [
    hurried,
    createReceiver(
      { type: 'email', name: 'mail', smtp, from: 'Linewatch <linewatch@example.com>', to: ['ops@example.com'] },
      setting,
    ),
    createReceiver({ type: 'webhook', name: 'bus', url: `${bus.url}/linewatch`, secret: null }, setting),
  ];
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  await Promise.all([slack, bus, mailbox].map((each) => each[Symbol.asyncDispose]()));
});

interface TextObject {
  type: string;
  text: string;
}

/** Every text object of Block Kit below a value. */
function textObjects(value: unknown): TextObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && 'text' in value && typeof value.text === 'string' ? [value as TextObject] : [];
  return [...own, ...Object.values(value).flatMap(textObjects)];
}

/** No control character but line ends, written or escaped, and no mark that turns text round. */
const UNSEEN = /[^\P{Cc}\n\r\t]|[\u202A-\u202E\u2066-\u2069\uFEFF]|\\u00(?:0[0-8bcef]|1[0-9a-f]|7f|[89][0-9a-f])/iu;

/** A moment as Slack shows it in each reader's zone. */
const MOMENT = /<!date\^\d+\^\{date_short_pretty\} \{time\}\|[^<>|^]+>/g;

/** What Slack got last, with nothing live in it. */
function harmlessPost(): { whole: string; texts: string[] } {
  const posted = slack.taken.at(-1);
  if (posted === undefined) throw new Error('Slack got nothing');
  const payload = JSON.parse(posted.body) as Record<string, unknown>;
  const whole = JSON.stringify(payload);
  // Slack acts on <…>; a literal angle bracket is written &lt;. Our moments are the only ones.
  expect(whole.replaceAll(MOMENT, '')).not.toMatch(/[<>]/);
  expect(payload).toMatchObject({ mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false });
  const objects = textObjects(payload);
  for (const { type, text } of objects) {
    expect(['plain_text', 'mrkdwn', 'header', 'button']).toContain(type);
    // Beside a label of ours in bold nothing is marked up.
    if (type === 'mrkdwn') {
      expect(text.replaceAll(MOMENT, '').replace(/^\*[^*]+\*/, '')).not.toMatch(/[*_~`@]|:[^\s:/]+:/);
    }
    expect(text.length).toBeLessThanOrEqual(3_000);
  }
  // Addresses that Slack would follow are ours or the provider's page's, never out of a text.
  for (const [, url = ''] of whole.matchAll(/"url":"([^"]*)"/g)) expect(url).toMatch(/^https?:\/\/(?!evil)/);
  expect(whole).not.toMatch(UNSEEN);
  expect(whole.length).toBeLessThan(20_000);
  return { whole, texts: objects.map(({ text }) => text) };
}

/** The mail that came last, with nothing live in it. */
function harmlessMail(): { mail: Mail; text: string; html: string } {
  const mail = mailbox.mails.at(-1);
  if (mail === undefined) throw new Error('there is no mail');
  expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
  expect([mail.bcc, mail.cc]).toEqual([undefined, undefined]);
  expect(mail.to).toEqual([{ address: 'ops@example.com', name: '' }]);
  expect(mail.subject).not.toMatch(/[\r\n]/);
  const [text, html] = [mail.text ?? '', mail.html ?? ''];
  expect(html).not.toMatch(/<script|<img|<style>\*|onerror="|(?:href|src)="[^"]*(?:evil|javascript)/i);
  expect(html.match(/<\/html>/g)).toHaveLength(1);
  expect(html.length).toBeLessThan(100_000);
  for (const part of [mail.subject ?? '', text, html]) expect(part).not.toMatch(UNSEEN);
  return { mail, text, html };
}

/** The last event of this kind the webhook got, without control characters anywhere. */
function harmlessEvent(kind: string): CloudEvent {
  const all = bus.taken.flatMap(({ body }) => JSON.parse(body) as CloudEvent[]);
  const event = all.findLast(({ type }) => type === `linewatch.${kind}`);
  if (event === undefined) throw new Error(`there is no event ${kind}`);
  expect(JSON.stringify(event)).not.toMatch(UNSEEN);
  return event;
}

async function watchPage(): Promise<Awaited<ReturnType<typeof watchProvider>>> {
  const watched = await watchProvider({ options: { receivers, route: everyone(['slack', 'mail', 'bus']) } });
  open.push(watched.close);
  return watched;
}

/** Rewrites every answer of the status interface. */
function rewriting(change: (text: string) => string): Fault {
  return { kind: 'transform', body: (body) => JSON.parse(change(JSON.stringify(body))) as unknown };
}

describe('a notice', () => {
  test('full of mentions, markup, links and control characters', async () => {
    const { provider, rounds } = await watchPage();
    const { faults, status } = provider.simulator;
    // The addresses in the provider's answers are the provider's words, too.
    faults.add({ fault: rewriting((text) => text.replaceAll(/"url":"[^"]*"/g, '"url":"javascript:alert(1)"')) });
    status.openNotice({ subject: NASTY, content: CONTENT, components: ['SMS'] });
    await rounds(1);

    const { whole } = harmlessPost();
    expect(whole).toContain('&lt;!channel&gt; @here');
    expect(whole).not.toContain('javascript:');
    const { mail, html, text } = harmlessMail();
    expect(mail.subject).toMatch(/^\[Linewatch\] .*Calls Bcc: victim@example\.com/);
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('javascript:');
    // A link shows where it leads, and a program gets it as it was written.
    expect(text).toContain(`${EVIL}|click> click (${EVIL}) x `);
    const opened = harmlessEvent('notice.opened');
    expect(JSON.stringify(opened)).toContain(`[click](${EVIL})`);
    expect(opened.data.alert['title']).toMatch(/^<!channel> @here .* Calls Bcc: victim@example\.com/);
    expect(JSON.stringify(opened)).not.toContain('javascript:');
  });

  test('that hits components and stands on a page with such names', async () => {
    const { provider, rounds } = await watchPage();
    const { faults, status } = provider.simulator;
    const name = JSON.stringify(NASTY).slice(1, -1);
    faults.add({ fault: rewriting((text) => text.replaceAll(/"name":"[^"]*"/g, () => `"name":"${name}"`)) });
    await rounds(1);
    status.openNotice({ subject: 'Calls fail', components: ['SMS', 'SIP Trunks'] });
    await rounds(1);
    expect(harmlessPost().whole).toContain('&lt;!channel&gt;');
    expect(harmlessMail().html).toContain('&lt;!channel&gt;');
    harmlessEvent('notice.opened');
    harmlessEvent('component.renamed');
  });

  test.each<[string, Record<string, unknown>]>([
    ['null', { subject: null, content: null, updates: null }],
    ['empty', { subject: '', content: '', updates: '' }],
    ['numbers', { subject: 404, content: 12, updates: 12 }],
    ['objects', { subject: {}, content: ['a'], updates: { a: 1 } }],
  ])('whose texts are %s is still a notice', async (_, { subject, content }) => {
    const { provider, rounds } = await watchPage();
    const { faults, status } = provider.simulator;
    const bent = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(bent);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [
          key,
          key === 'subject' ? subject : key === 'content' ? content : bent(inner),
        ]),
      );
    };
    faults.add({ fault: { kind: 'transform', body: bent } });
    const id = status.openNotice({ subject: 'Calls fail', components: ['SMS'] });
    await rounds(1);
    const title = typeof subject === 'number' ? '404' : `Notice ${id}`;
    expect(harmlessEvent('notice.opened').data.alert['title']).toBe(title);
    const { mail, text } = harmlessMail();
    expect(mail.subject).toContain(title);
    for (const shown of [text, harmlessPost().whole]) expect(shown).not.toMatch(/undefined|\[object|\bnull\b/);
  });

  test('of 100 kB is cut at a word, says so, and links to the rest', async () => {
    const { provider, rounds } = await watchPage();
    const words = Array.from({ length: 14_000 }, (_, index) => `w${String(index).padStart(5, '0')}`);
    const content = words.join(' ');
    expect(content.length).toBeGreaterThan(97_000);
    const id = provider.simulator.status.openNotice({
      subject: words.slice(0, 900).join(' '),
      content,
      components: ['SMS'],
    });
    await rounds(1);
    const { whole, texts } = harmlessPost();
    const { mail, text, html } = harmlessMail();
    const event = harmlessEvent('notice.opened');
    const [update] = event.data.details['updates'] as { content: string }[];
    // Whatever is left of a word stands at its end whole, and before the mark that something is missing.
    for (const shown of [
      ...texts,
      mail.subject ?? '',
      text,
      html,
      update?.content ?? '',
      String(event.data.alert['title']),
    ]) {
      expect(shown).not.toMatch(/\bw(\d{1,4})?(?!\d)(?![a-z])/);
    }
    for (const shown of [texts.join('\n'), text, html, update?.content ?? '']) expect(shown).toMatch(/w\d{5}…/);
    expect(mail.subject?.length).toBeLessThan(300);
    const address = new RegExp(`/notices/${id}"`);
    expect(whole).toMatch(address);
    expect(html).toMatch(address);
    expect(text).toMatch(new RegExp(`/notices/${id}$`, 'm'));
    for (const shown of [whole, text, html]) expect(shown).toContain('the rest is in the provider’s notice');
    expect(event.data.details['notice']).toMatchObject({ url: expect.stringMatching(new RegExp(`/notices/${id}$`)) });
  });
});

describe('an account', () => {
  test('whose phones, toggles and extensions have such names', async () => {
    const settings = {
      ...SETTINGS,
      registrations: { ...SETTINGS.registrations, mass: { count: 1, percent: 1 } },
      expectations: [
        {
          toggle: '301',
          hours: { ranges: [], except: [], timezone: 'UTC' },
          grace: 0,
          severity: 'warning' as const,
        },
      ],
    };
    const watched = await watchAccount({
      settings,
      running: { options: { receivers, route: everyone(['slack', 'mail', 'bus']) } },
      before({ simulator }) {
        const { world } = simulator.accounts.account();
        for (const extension of world.extensions.all()) world.extensions.update(extension, { name: NASTY });
        world.phones.setAgent({}, `${NASTY} 1.2.3`);
      },
    });
    open.push(watched.close);
    const { account, rounds } = watched;
    const { world } = account;
    world.toggles.get(301).name = NASTY;
    world.setToggle(301, true);
    await rounds(1);
    expect(harmlessPost().whole).toContain('&lt;!channel&gt;');
    expect(harmlessMail().html).toContain('&lt;!channel&gt;');
    harmlessEvent('toggle.renamed');
    harmlessEvent('toggle.off_schedule');

    world.phones.lose({});
    await rounds(7);
    harmlessEvent('registration.mass');
    expect(harmlessPost().whole).toContain('&lt;!channel&gt;');
    expect(harmlessMail().mail.subject).toMatch(/^\[Linewatch\] /);
  });
});
