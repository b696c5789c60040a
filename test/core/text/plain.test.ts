import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitItems, fitWords } from '../../../src/core/wording/truncate.ts';
import { toSafeUrl } from '../../../src/core/wording/wording.ts';
import { toReadableLine, toReadableText } from '../../../src/core/text/markup.ts';
import {
  truncate,
  formatAllOf,
  formatCount,
  formatInteger,
  formatList,
  joinNames,
  toOneLine,
  toPlainText,
} from '../../../src/core/text/plain.ts';

const anything = fc.string({ unit: 'binary', maxLength: 400 });

it.each([
  [2, 'Both phones'],
  [3, 'All 3 phones'],
  [4576, 'All 4,576 phones'],
])('the whole of %i', (count, whole) => expect(formatAllOf(count, 'phone')).toBe(whole));

describe('plain text', () => {
  it.each([
    ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['a\u0000b\u0007c\u001b[31md', 'abc[31md'],
    ['gnp.\u202eexe\u200b', 'gnp.exe'],
    ['\n\n a  \n\n\n\nb \n', 'a\n\nb'],
    ['family 👨‍👩‍👧 stays', 'family 👨‍👩‍👧 stays'],
    ['half \ud83d', 'half \ufffd'],
  ])('%j is %j', (raw, shown) => expect(toPlainText(raw)).toBe(shown));

  it('has no control character but the line feed, whatever came in', () => {
    fc.assert(
      fc.property(anything, (raw) => {
        // oxlint-disable-next-line no-control-regex -- that none is left is what is tested
        expect(toPlainText(raw)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(toPlainText(raw).isWellFormed()).toBe(true);
        expect(toPlainText(toPlainText(raw))).toBe(toPlainText(raw));
      }),
    );
  });

  it('is one line where it must be', () => {
    fc.assert(
      fc.property(anything, (raw) => {
        expect(toOneLine(raw)).toMatch(/^(\S( \S|\S)*)?$/u);
      }),
    );
  });
});

describe('cutting', () => {
  it.each([
    ['short', 10, 'short'],
    ['the quick brown fox', 12, 'the quick…'],
    ['unbreakableword', 8, 'unbreak…'],
    ['a 😀😀😀😀', 6, 'a 😀…'],
  ])('%j to %i is %j', (text, limit, result) => expect(truncate(text, limit)).toBe(result));

  it('never exceeds its limit and never breaks a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.integer({ min: 1, max: 200 }), (text, limit) => {
        expect(truncate(text, limit).length).toBeLessThanOrEqual(limit);
        expect(truncate(text, limit).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('names in a row', () => {
  it.each([
    [[], ''],
    [['A'], 'A'],
    [['A', 'B'], 'A and B'],
    [['A', 'B', 'C'], 'A, B and C'],
    [['A', 'B', 'C', 'D', 'E'], 'A, B, C and 2 more'],
    [['Voice, Perth'], 'Voice, Perth'],
    [['Voice, Perth', 'Fax'], 'Voice, Perth; and Fax'],
    [['Fax', 'Voice, Perth', 'SMS'], 'Fax; Voice, Perth; and SMS'],
    [['Voice, Perth', 'B', 'C', 'D', 'E'], 'Voice, Perth; B; C; and 2 more'],
    [['1,200 phones', 'B (x, y)', 'C'], '1,200 phones, B (x, y) and C'],
  ])('%j', (names, text) => expect(formatList(names, 3)).toBe(text));

  it('without a last word are separated in the same way', () => {
    expect(formatList(['Perth, CBD 1/2', 'Sydney 2/2'], 4, ', ')).toBe('Perth, CBD 1/2; Sydney 2/2');
    expect(joinNames(['A', 'B, C', 'D'])).toBe('A; B, C; D');
    expect(joinNames(['A', 'B'])).toBe('A, B');
  });

  it('always add up to all of them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 30 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 200 }),
        fc.option(fc.nat(50), { nil: undefined }),
        (names, limit, unlisted) => {
          const { items, more } = fitItems({ items: names, unlisted }, limit);
          expect(items.length + more).toBe(names.length + (unlisted ?? 0));
          expect(items.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('the provider’s words', () => {
  const quote = (text: string) => ({ state: null, at: null, text });

  it('keep a fair share each, so that short ones stay whole', () => {
    const { words, rest } = fitWords(
      [quote('short'), quote('long '.repeat(100)), quote('longer '.repeat(100))],
      10,
      205,
      true,
    );
    expect(words[0]?.text).toBe('short');
    expect(
      words.slice(1).every((each) => each.text.endsWith('…') && each.text.length > 80 && each.text.length <= 100),
    ).toBe(true);
    expect(rest).toBe('Shortened: the rest is in the provider’s notice (link below).');
  });

  it('keep the newest when there are too many, and say how many are missing', () => {
    const { words, rest } = fitWords(['1', '2', '3', '4'].map(quote), 2, 100, false);
    expect(words.map((each) => each.text)).toEqual(['3', '4']);
    expect(rest).toBe('2 earlier updates: on the provider’s status page.');
  });

  it('never exceed the room there is', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 500 })), fc.integer({ min: 100, max: 2000 }), (texts, room) => {
        const { words } = fitWords(texts.map(quote), 20, room, true);
        expect(words.reduce((sum, each) => sum + each.text.length, 0)).toBeLessThanOrEqual(room);
      }),
    );
  });
});

describe('markup of a provider', () => {
  it.each([
    ['<p>Calls fail.</p><p>We&nbsp;look &amp; see.</p>', 'Calls fail.\nWe look & see.'],
    ['One<br/>two<BR>three', 'One\ntwo\nthree'],
    ['<ul><li>Sydney</li><li>Perth</li></ul>', '• Sydney\n• Perth'],
    ['see <a href="https://x.test/a">our page</a>', 'see our page (https://x.test/a)'],
    ['a < b && c > d', 'a < b && c > d'],
    ['<http://evil.test|ok> <!channel>', '<http://evil.test|ok> <!channel>'],
    ['<p>Calls fail.</p><script>if (a<b) track("<p>");</script><p>We look.</p>', 'Calls fail.\nWe look.'],
    ['<style type="text/css">\np { color: red }\n</style>Calls <b>fail</b>.', 'Calls fail.'],
    ['<SCRIPT src="x.js"></SCRIPT >Calls fail.', 'Calls fail.'],
    ['<script><style></script>Calls</style> fail.', 'Calls</style> fail.'],
    ['a <script> that never ends: calls fail', 'a <script> that never ends: calls fail'],
    ['before </script> and after', 'before </script> and after'],
    ['<p>Up<hr>Down <img src="https://x.test/a.png" alt="Map of sites"></p>', 'Up\nDown Map of sites'],
    ['see <img src="https://x.test/a.png">', 'see'],
    ['&lt;b&gt;', '<b>'],
    ['nul &#0; and &#x202e;mark', 'nul  and mark'],
  ])('%j reads %j', (content, text) => expect(toReadableText(content)).toBe(text));

  it.each([
    ['**Incident Analysis:** At 11:15', 'Incident Analysis: At 11:15'],
    [
      'see [our page](https://x.test/a "The page") or [https://x.test](https://x.test)',
      'see our page (https://x.test/a) or https://x.test',
    ],
    ['## Summary\n\n* Sydney\n+ Perth\n  - Ryde', 'Summary\n\n• Sydney\n• Perth\n  - Ryde'],
    ['a _fibre cut_, *not* ***ours***; run `sip show peers`', 'a fibre cut, not ours; run sip show peers'],
    ['```\nsip:503\n```\nWe look \\*again\\*.', 'sip:503\nWe look *again*.'],
    [
      '<p>**Down**: <a href="https://x.test/a">_SIP_</a> &#42;&#42;now&#42;&#42;</p>',
      'Down: SIP (https://x.test/a) now',
    ],
    ['**5 sites** are down', '5 sites are down'],
    ['Dial *98: **Important, *really*, here** and **now**.', 'Dial *98: Important, really, here and now.'],
    ['![Map](https://x.test/a.png) mail [us](mailto:noc@x.test)', 'Map mail us (noc@x.test)'],
  ])('%j without Markdown reads %j', (content, text) => expect(toReadableText(content)).toBe(text));

  it.each([
    'Dial **61*number**30#, **62*11#, **98**, **21 or **61, *98 or *97, then *21*0399999999#; *72* ends it.',
    'sip_trunk_1 and SIP_TRUNK_2, snake_case_name',
    '5 * 3 * 2 = 30, a ** b ** c, #1 and # 2',
    'GET https://x.test/_next_/a*b*c [1] (see [2]) [x](javascript:alert(1))',
    'C:\\temp + more, -5 dB, 3 - 2',
    '*** all calls ***',
  ])('%j is no Markdown', (text) => expect(toReadableText(text)).toBe(text));

  it.each([
    ['<b>Voice</b> degraded &amp; slow', 'Voice degraded & slow'],
    ['<p>Calls *fail*</p><p>in Perth</p>', 'Calls *fail* in Perth'],
    ['SIP <trunks> & fax, dial *98', 'SIP <trunks> & fax, dial *98'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['<br>', '<br>'],
  ])('the title %j reads %j', (title, text) => expect(toReadableLine(title)).toBe(text));

  it('is read in a time that grows with its length alone', () => {
    const hostile = [
      ...[
        '**a',
        '*a ',
        ' *a',
        '_a ',
        ' _a',
        '[',
        '[a](https://',
        '![](https://x "',
        '`',
        '\n```',
        '\n# ',
        '\n* ',
        '\\*',
      ].map((each) => each.repeat(30_000)),
      `*${'a'.repeat(90_000)}\n`,
      `[${'a'.repeat(90_000)}](https://${'a'.repeat(9_000)}`,
      '<a href="',
      '<a '.repeat(30_000),
      '&'.repeat(100_000),
      '<p '.repeat(30_000),
      `<a href="x">${'<'.repeat(50_000)}`,
      '<script>'.repeat(10_000),
      '</script><script>'.repeat(5_000),
    ];
    const started = performance.now();
    for (const each of hostile) toReadableText(each.padEnd(100_000, '<a href="'));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('links', () => {
  it.each([
    ['https://status.example.test/notices/1', 'https://status.example.test/notices/1'],
    ['http://127.0.0.1:8469', 'http://127.0.0.1:8469/'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['https://bank.test@evil.test/', null],
    ['/notices/1', null],
    ['', null],
    [null, null],
    [`https://x.test/${'a'.repeat(3000)}`, null],
    ['https://x.test/"><script>', 'https://x.test/%22%3E%3Cscript%3E'],
  ])('%j is %j', (url, safe) => expect(toSafeUrl(url)).toBe(safe));
});

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [4_576, '4,576'],
  [12_345_678, '12,345,678'],
])('%i in digits is %s', (count, shown) => {
  expect(formatInteger(count)).toBe(shown);
  expect(formatCount(count, 'phone')).toBe(`${shown} phones`);
});
