import fc from 'fast-check';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { composeContent, type MessageContent } from '../../src/core/wording/message-content.ts';
import { renderGlance } from '../../src/receivers/terminal/glance.ts';
import { renderTerminal, type TerminalStyle } from '../../src/receivers/terminal/render.ts';
import { TIMEZONE } from '../support/messages.ts';
import { STORIES } from '../support/stories.ts';
import { FORGED, hostile } from './hostile.ts';

function told(name: string): MessageContent {
  const story = STORIES[name]?.();
  if (story === undefined) throw new Error(`no story ${name}`);
  return composeContent(story.message, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: story.now });
}

type Render = (content: MessageContent, style: TerminalStyle) => string;

const RENDERERS: [string, Render][] = [
  ['in full', renderTerminal],
  ['at a glance', (content, style) => renderGlance(content, '02:10', style)],
];

describe.each(RENDERERS)('a message on a terminal, %s', (_how, render) => {
  const shown = (name: string, width: number, colour: boolean): string => render(told(name), { width, colour });

  it.each(Object.keys(STORIES))('says the same with and without colours: %s', (name) => {
    const plain = shown(name, 80, false);
    expect(stripVTControlCharacters(shown(name, 80, true))).toBe(plain);
    expect(shown(name, 80, true)).not.toBe(plain);
  });

  it('stays within its width but for addresses, which must stay whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 200 }), fc.constantFrom(...Object.keys(STORIES)), (width, name) => {
        const lines = shown(name, width, false)
          .split('\n')
          .filter((line) => !line.includes('http'));
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('cannot be driven by the provider', () => {
    const forged = composeContent(hostile(FORGED, FORGED), {
      timezone: TIMEZONE,
      instance: 'hq',
      externalUrl: null,
      now: 0,
    });
    // oxlint-disable-next-line no-control-regex -- that none is left is what is tested
    expect(render(forged, { width: 80, colour: false })).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe('a glance', () => {
  const style = { width: 80, colour: false };

  it.each(Object.keys(STORIES))('says when, how bad and what, in few lines: %s', (name) => {
    const content = told(name);
    const lines = renderGlance(content, '02:10', style).trimEnd().split('\n');
    const text = lines.map((line) => line.slice(2).trim()).join(' ');
    expect(text.startsWith(`02:10 · ${content.kicker} ${content.headline}`.replaceAll(/\s+/g, ' '))).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(20);
  });

  it('shows the first places and counts the others', () => {
    const places = Array.from({ length: 9 }, (_, index) => `Site ${index + 1}: 3 of 4 phones offline`);
    const list: MessageContent['lists'][number] = {
      label: 'Accounts',
      items: [...places, 'and 3 more'],
      inline: true,
      places: 12,
    };
    const content = {
      ...told(Object.keys(STORIES)[0] ?? ''),
      lists: [{ label: 'Other', items: ['x'], inline: false }, list],
    };
    const text = renderGlance(content, '02:10', style);
    expect(text).toContain('Site 5: 3 of 4 phones offline\n▌   and 7 more\n');
    expect(text).not.toContain('Site 6');
    const few = { ...content, lists: [{ ...list, items: places.slice(0, 2), places: 2 }] };
    expect(renderGlance(few, '02:10', style)).not.toContain('more');
  });

  it('breaks no word, however long', () => {
    const word = 'https://example.test/'.padEnd(120, 'x');
    const content = { ...told(Object.keys(STORIES)[0] ?? ''), headline: `Look at ${word} now` };
    expect(renderGlance(content, '02:10', style)).toContain(`▌ Look at\n▌ ${word}\n▌ now\n`);
  });
});
