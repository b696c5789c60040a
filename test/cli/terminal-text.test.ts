/** Nothing the provider says reaches a terminal as an order. */
import { expect, test } from 'vitest';
import { toTerminalJson, createTerminalEscaper } from '../../src/cli/terminal-text.ts';
import { showJson } from '../../src/cli/account/result.ts';

const HOSTILE = 'a\u001b[2Jb\u009b31mc\u007fd\u202ee\u0085f\u{e0041}';

test('JSON is the same value to a program and harmless to a terminal', () => {
  const value = { [HOSTILE]: HOSTILE, plain: 'Zoë 電話 ✓' };
  for (const text of [toTerminalJson(value), toTerminalJson(value, 0), showJson(value)]) {
    expect(JSON.parse(text)).toEqual(value);
    // oxlint-disable-next-line no-control-regex -- that there is none is the point
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text).toContain('Zoë 電話 ✓');
    expect(text).toContain(String.raw`\u009b31m`);
  }
  expect(toTerminalJson(value, 0)).not.toContain('\n');
});

test('a file is shown on a terminal with its orders spelled out, also where a piece ends within a character', () => {
  const bytes = Buffer.from('One\tline\nZoë\u001b]0;evil\u0007\u009b2J\r');
  const shown = createTerminalEscaper();
  const text = Array.from(bytes, (byte) => shown(Uint8Array.of(byte))).join('');
  expect(text).toBe(String.raw`One${'\t'}line${'\n'}Zoë\u001b]0;evil\u0007\u009b2J\u000d`);
});
