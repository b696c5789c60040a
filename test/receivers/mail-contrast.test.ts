/** Every tone of a mail can be read, on a light screen and on a dark one. */
import { expect, test } from 'vitest';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { renderMail } from '../../src/receivers/email/render.ts';
import { ACCOUNT_STORIES } from '../support/account-stories.ts';
import { contrast, READABLE } from '../support/contrast.ts';
import { TIMEZONE } from '../support/messages.ts';
import { STORIES } from '../support/stories.ts';

test('in all stories there are', () => {
  const tones = new Set<string>();
  for (const story of Object.values({ ...STORIES, ...ACCOUNT_STORIES })) {
    const { message, now } = story();
    const told = composeContent(message, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now });
    const { html } = renderMail(message, told, { organizer: 'linewatch@example.test', attendees: [] });
    tones.add(told.tone);
    const [, tone = '', light = ''] = /class="tone-(\w+)"\s+style="[^"]*color:(#\w+)/.exec(html) ?? [];
    const dark = new RegExp(`\\.tone-${tone}\\{color:(#\\w+)`).exec(html)?.[1] ?? '';
    const ground = /\.card\{background:(#\w+)/.exec(html)?.[1] ?? '';
    expect(contrast(light, '#ffffff'), `${tone} on white`).toBeGreaterThanOrEqual(READABLE);
    expect(contrast(dark, ground), `${tone} on a dark screen`).toBeGreaterThanOrEqual(READABLE);
  }
  expect(tones.size).toBe(5);
});
