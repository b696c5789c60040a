/** Messages whose provider is careless or hostile. */
import type { Message } from '../../src/core/outbox/message.ts';
import { change, message, notice, NOW, update } from '../support/messages.ts';

export const NASTY =
  'Hi <!channel> <!here> @here @channel <@U012AB3CD> <#C012AB3CD> <http://evil.test|ok> http://evil.test *bold* _it_ ~no~ `code` ```block``` :smile: ' +
  '<script>alert(1)</script> <img src=x onerror=alert(1)> [link](http://evil.test) &lt;b&gt; & "quoted" \'single\'';

export const FORGED = 'Trouble\r\nBcc: everyone@evil.test\r\n\r\n<b>body</b>\u0000\u0007\u001b[31m\u202egnp.exe';

/** As many updates as contents; a single one is that of all of them. */
export function hostile(subject: string, content: string | readonly string[], count = 1): Message {
  const contents = typeof content === 'string' ? Array.from({ length: count }, () => content) : content;
  const updates = contents.map((text, index) => update('investigating', text, index));
  const details = notice(
    { subject, url: 'javascript:alert(1)' },
    { updates, components: [{ id: '1', name: subject }] },
  );
  return message(
    [change('notice.opened', 'notice/600301', { from: null, to: 'investigating', details }, 'open')],
    { title: subject, startedAt: NOW },
    { first: true },
  );
}

export const HOSTILE: [what: string, message: () => Message][] = [
  ['mentions, links and formatting', () => hostile(NASTY, NASTY)],
  ['line breaks and control characters', () => hostile(FORGED, FORGED)],
  ['nothing at all', () => hostile('', '')],
  ['100 kB of text', () => hostile('&'.repeat(5000), '<&> '.repeat(25_000))],
  ['500 updates', () => hostile('Much ado', 'word '.repeat(200), 500)],
  ['halves of characters', () => hostile('\ud83d half \udd25', '\ud83d'.repeat(4000))],
];
