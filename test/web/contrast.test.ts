/** Tired eyes at night and old ones by day read every colour of the pages, on a light screen and on a dark one. */
import { expect, test } from 'vitest';
import { STYLE } from '../../src/web/look/style.ts';
import { contrast, READABLE } from '../support/contrast.ts';

/** Text and what it stands on. */
const PAIRS = [
  ...['ink', 'soft', 'link'].flatMap((text) => [`${text} on bg`, `${text} on card`, `${text} on sunk`]),
  ...['ok', 'crit', 'warn', 'work', 'unk'].flatMap((tone) => [
    `${tone} on card`,
    ...['', 'ink', 'soft'].map((text) => `${text || tone} on ${tone}-tint`),
  ]),
];

function colours(root: string): Map<string, string> {
  return new Map([...root.matchAll(/--([\w-]+):(#[\da-f]+)/g)].map(([, name = '', colour = '']) => [name, colour]));
}

const [light, dark] = [...STYLE.matchAll(/:root\{([^}]*)\}/g)].map(([, root = '']) => colours(root));

test('measures as the guidelines do', () => {
  expect(contrast('#000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#fff')).toBeCloseTo(4.48, 2);
});

test.each(PAIRS)('%s', (pair) => {
  const [text = '', ground = ''] = pair.split(' on ');
  for (const scheme of [light, dark]) {
    expect(contrast(scheme?.get(text) ?? '', scheme?.get(ground) ?? '')).toBeGreaterThanOrEqual(READABLE);
  }
});
