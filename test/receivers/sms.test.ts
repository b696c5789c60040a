/** One SMS is one part of the GSM 7-bit alphabet (3GPP TS 23.038), whatever the provider writes. */
import { expect, it } from 'vitest';
import { KINDS } from '../../src/core/transition/kind.ts';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { createSampleMessage } from '../../src/core/wording/samples/samples.ts';
import { renderSms } from '../../src/receivers/rendering/texts.ts';
import { NOW } from '../support/messages.ts';
import { evilText, numbersOf } from './media/evil.ts';

/** Table 1 of the standard, and table 2, whose characters take two septets. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '^{}\\[~]|€';

function septetsOf(text: string): number | null {
  let count = 0;
  for (const char of text) {
    if (BASIC.includes(char)) count += 1;
    else if (EXTENDED.includes(char)) count += 2;
    else return null;
  }
  return count;
}

it('10,000 rendered SMS are of the alphabet and one part', () => {
  const next = numbersOf('sms');
  const wrong: string[] = [];
  for (let index = 0; index < 10_000; index += 1) {
    const kind = KINDS[index % KINDS.length] ?? 'notice.opened';
    const sample = createSampleMessage(kind, 'sms', NOW);
    const title = evilText(next, Math.floor(next() * 400));
    const text = renderSms(
      composeContent(
        { ...sample, subject: title, alert: { ...sample.alert, title } },
        {
          timezone: 'Australia/Melbourne',
          now: NOW,
          instance: 'hq',
          customer: () => evilText(next, Math.floor(next() * 60)),
          externalUrl: next() < 0.5 ? null : `https://${'lw.'.repeat(Math.floor(next() * 60))}example.com`,
        },
      ),
    );
    const septets = septetsOf(text);
    if (septets === null || septets > 160 || septets === 0) wrong.push(text);
  }
  expect(wrong).toEqual([]);
});
