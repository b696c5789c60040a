/** What the provider writes is shown and never obeyed: no mention, link, markup or header of it takes effect. */
import { expect, test } from 'vitest';
import { openSite } from '../support/site.ts';

const EVIL = 'http://evil.test/';
const SUBJECT = `<!channel> @here <${EVIL}|ok> *b* Calls\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>`;
const CONTENT = [
  '<!everyone> <@U012345> <#C012345>',
  `<${EVIL}|click> [click](${EVIL}) <a href="${EVIL}">click</a>`,
  `<script>alert(1)</script><img src="${EVIL}x.png" onerror="alert(1)"><style>*{display:none}</style>`,
  '</td></table></body></html>\u0000\u001B[31mred\u202Egnp',
  'word '.repeat(20_000),
].join('\n');

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

test('in Slack, in the headers of a mail and in its page', async () => {
  await using site = await openSite();
  await site.start();
  await Promise.all([site.slack.takes(1), site.mailbox.takes(1), site.event('source.baseline')]);
  const { faults, status } = site.provider.simulator;
  // The addresses in the provider's answers are the provider's words, too.
  faults.add({
    on: 'notices.show',
    fault: { kind: 'transform', body: (body) => ({ ...(body as object), url: 'javascript:alert(1)' }) },
  });
  faults.add({
    on: 'notices.list',
    fault: {
      kind: 'transform',
      body: (body) =>
        JSON.parse(JSON.stringify(body).replaceAll(/"url":"[^"]*"/g, '"url":"javascript:alert(1)"')) as unknown,
    },
  });
  status.openNotice({ subject: SUBJECT, content: CONTENT, components: ['SMS'] });

  const [, posted] = await site.slack.takes(2);
  const payload = JSON.parse(posted?.body ?? '') as {
    text: string;
    mrkdwn?: boolean;
    attachments?: { blocks: unknown[] }[];
  };
  const whole = JSON.stringify(payload);
  // Slack acts on <…>; a literal angle bracket is written &lt;.
  expect(whole).not.toMatch(/<[!@#]|<http|<javascript/i);
  expect(whole).toContain('&lt;!channel&gt;');
  expect(whole).not.toContain('javascript:');
  expect(payload.mrkdwn).toBe(false);
  for (const { type, text } of textObjects(payload)) {
    expect(type).not.toBe('mrkdwn');
    expect(text.length).toBeLessThanOrEqual(3_000);
  }
  expect(whole.length).toBeLessThan(20_000);
  // Addresses that Slack would follow are ours or the provider's page's, never out of a text.
  const links = [...whole.matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
  for (const url of links) expect(url).not.toContain('evil.test');

  const [, mail] = await site.mailbox.takes(2);
  if (mail === undefined) throw new Error('the mail is missing');
  expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(mail.bcc).toBeUndefined();
  expect(mail.to).toEqual([{ address: 'ops@example.com', name: '' }]);
  expect(mail.subject).toMatch(/^\[Linewatch\] .*Calls Bcc: victim@example\.com/);
  expect(mail.subject).not.toMatch(/[\r\n]/);
  const html = mail.html ?? '';
  expect(html).toContain('&lt;script&gt;');
  expect(html).not.toMatch(/<script|<img|<style>\*|onerror="|href="[^"]*(evil|javascript)/i);
  expect(html.match(/<\/html>/g)).toHaveLength(1);
  expect(html.length).toBeLessThan(100_000);
  for (const text of [whole, mail.text ?? '', html]) expect(text).not.toMatch(/[^\P{Cc}\n\r\t]|\u202E|\\u00(?:00|1b)/u);

  const opened = await site.event('notice.opened');
  expect(String(opened.data.alert['title'])).not.toMatch(/\p{Cc}/u);
});
