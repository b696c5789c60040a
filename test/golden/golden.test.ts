/**
 * What people and programs are sent, word for word. After a deliberate change of wording:
 * `UPDATE_GOLDEN=1 npx vitest run test/golden`, and then read what changed as the one who is woken by it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { composeContent } from '../../src/core/wording/message-content.ts';
import { renderMail } from '../../src/receivers/email/render.ts';
import { renderSlack } from '../../src/receivers/slack/render.ts';
import { renderTerminal } from '../../src/receivers/terminal/render.ts';
import { toCloudEvents } from '../../src/receivers/webhook/event.ts';
import { TIMEZONE } from '../support/messages.ts';
import { ACCOUNT_STORIES } from '../support/account-stories.ts';
import { MEMBER_STORIES } from '../support/member-stories.ts';
import { RARE_STORIES } from '../support/rare-stories.ts';
import { STORIES as PAGE_STORIES } from '../support/stories.ts';

const STORIES = { ...PAGE_STORIES, ...RARE_STORIES, ...ACCOUNT_STORIES, ...MEMBER_STORIES };
const FOLDER = new URL('messages/', import.meta.url);
const updating = process.env['UPDATE_GOLDEN'] === '1';
const ENDINGS = ['slack.json', 'mail.txt', 'mail.html', 'terminal.txt', 'events.json'];

/** What the file holds; written first when the files are being renewed. */
function golden(name: string, text: string): string {
  const file = new URL(name, FOLDER);
  if (updating) writeFileSync(file, text);
  return readFileSync(file, 'utf8');
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

describe.each(Object.entries(STORIES))('%s', (name, story) => {
  mkdirSync(FOLDER, { recursive: true });
  const { message, now } = story();
  const told = composeContent(message, {
    timezone: TIMEZONE,
    instance: 'hq',
    externalUrl: 'https://linewatch.example.test',
    now,
  });
  const mail = renderMail(message, told, { organizer: 'linewatch@example.test', attendees: ['ops@example.test'] });

  const { text, html, calendar, headers, ...rest } = mail;
  const lines = Object.entries({ ...rest, ...headers }).map(
    ([key, value]) => `${key}: ${Array.isArray(value) ? value.join(' ') : value}`,
  );
  const entry = calendar === null ? '' : `\n${calendar.content.replaceAll('\r\n', '\n')}`;

  it.each([
    ['slack.json', json(renderSlack(told))],
    ['mail.txt', `${lines.join('\n')}\n\n${text}${entry}`],
    ['mail.html', html],
    ['terminal.txt', renderTerminal(told, { width: 80, colour: false })],
    ['events.json', json(toCloudEvents(message, 'hq'))],
  ])('as %s', (ending, rendered) => {
    expect(rendered).toBe(golden(`${name}.${ending}`, rendered));
  });
});

it('keeps no file of a story that is gone', () => {
  const known = Object.keys(STORIES).flatMap((name) => ENDINGS.map((ending) => `${name}.${ending}`));
  expect(readdirSync(FOLDER).filter((file) => !known.includes(file))).toEqual([]);
});
