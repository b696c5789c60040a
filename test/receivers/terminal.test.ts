import fc from 'fast-check';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { briefing } from '../../src/core/wording/briefing.ts';
import { renderTerminal } from '../../src/receivers/terminal/render.ts';
import { TIMEZONE } from '../support/messages.ts';
import { STORIES } from '../support/stories.ts';
import { FORGED, hostile } from './hostile.ts';

function shown(name: string, width: number, colour: boolean): string {
  const story = STORIES[name]?.();
  if (story === undefined) throw new Error(`no story ${name}`);
  return renderTerminal(
    briefing(story.message, { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: story.now }),
    { width, colour },
  );
}

describe('a message on a terminal', () => {
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
    const told = briefing(hostile(FORGED, FORGED), { timezone: TIMEZONE, instance: 'hq', externalUrl: null, now: 0 });
    // oxlint-disable-next-line no-control-regex -- that none is left is what is tested
    expect(renderTerminal(told, { width: 80, colour: false })).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});
