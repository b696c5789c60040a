/** Tables, records and progress as a terminal of a given width shows them. */
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { withProgress } from '../../../src/cli/account/dialogue.ts';
import { drawRecord, drawTable } from '../../../src/cli/account/table.ts';
import { formatDefinitions } from '../../../src/cli/account/wrapped-text.ts';
import { measureWidth, wrap } from '../../../src/core/text/wrap.ts';

const page = { width: 40, colour: false, timezone: 'Australia/Melbourne' };
const rows = [
  { id: 40_001, name: 'Ada', notes: 'a long story that no terminal of this width could hold', time: 1_772_442_000 },
  { id: 2, name: '東京オフィス', notes: null, time: 0 },
];

it.each([200, 80, 60, 40, 30, 20])('a table is never wider than %d columns', async (width) => {
  const { text, hidden } = drawTable(rows, undefined, { ...page, width });
  expect(text.split('\n').filter((line) => measureWidth(line) > width)).toEqual([]);
  const [head = ''] = text.split('\n');
  expect([...head.split(/ +/), ...hidden].toSorted()).toEqual(['id', 'name', 'notes', 'time']);
});

it('cuts long texts, and neither ids nor times', async () => {
  const { text } = drawTable(rows, undefined, { ...page, width: 70 });
  expect(text).toContain('40001');
  expect(text).toContain('2026-03-02 20:00:00+11:00');
  expect(text).toMatch(/a long story [^\n]*…/);
  expect(drawTable(rows, undefined, { ...page, width: Infinity }).text).toContain('could hold');
});

it('is lined up where letters are two columns wide', async () => {
  const { text } = drawTable(rows, ['name', 'id'], { ...page, width: Infinity });
  expect(text).toBe('name          id\nAda           40001\n東京オフィス  2\n');
});

it('a record is wrapped beside its names', async () => {
  const text = drawRecord({ id: 1, tolls: ['australia_local', 'australia_mobile'], empty: [], map: {} }, page);
  expect(text).toBe('id     1\ntolls  australia_local, australia_mobile\nempty  none\nmap    none\n');
  const narrow = drawRecord({ tolls: ['australia_local', 'australia_mobile'] }, { ...page, width: 26 });
  expect(narrow).toBe('tolls  australia_local,\n       australia_mobile\n');
});

it('text is wrapped at words, and a name that is too long stands above its meaning', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(
    formatDefinitions(
      [
        ['--x', 'short'],
        ['--a-very-long-option-name NAME', 'its meaning'],
      ],
      40,
    ),
  ).toEqual(['  --x  short', '  --a-very-long-option-name NAME', '       its meaning']);
});

it('progress is drawn on a real terminal, when it takes long, and taken away at the end', async () => {
  const pieces: string[] = [];
  const drawn = Promise.withResolvers<void>();
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    cursorTo: () => true,
    moveCursor: () => true,
    clearLine: () => {
      pieces.push('<clear>');
      return true;
    },
  });
  stream.on('data', (piece: unknown) => {
    pieces.push(String(piece));
    if (pieces.join('').includes('List the extensions')) drawn.resolve();
  });
  const err = { stream, isTerminal: true, isJournal: false, colour: true, columns: 80, write: () => {} };
  expect(await withProgress(err, 'List the extensions', () => drawn.promise.then(() => 7))).toBe(7);
  expect(pieces.at(-1) === '<clear>' || pieces.join('').includes('<clear>')).toBe(true);
  pieces.length = 0;
  expect(await withProgress({ ...err, colour: false }, 'x', () => Promise.resolve(8))).toBe(8);
  expect(pieces).toEqual([]);
});

it('progress is not even begun where lines have no width, or nothing may be drawn', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const err = { isTerminal: true, isJournal: false, colour: true, columns: 80, write: () => {} };
  const waiting = (): Promise<number> => Promise.resolve(vi.getTimerCount());
  const streamOf = (stream: object): PassThrough => Object.assign(new PassThrough(), stream);
  expect(await withProgress({ ...err, stream: streamOf({ isTTY: true, columns: 80 }) }, 'x', waiting)).toBe(1);
  expect(await withProgress({ ...err, stream: streamOf({ isTTY: true, columns: 0 }) }, 'x', waiting)).toBe(0);
  expect(await withProgress({ ...err, stream: streamOf({}) }, 'x', waiting)).toBe(0);
  const colourless = { ...err, colour: false, stream: streamOf({ isTTY: true, columns: 80 }) };
  expect(await withProgress(colourless, 'x', waiting)).toBe(0);
  vi.useRealTimers();
});
