/** Texts of a provider that is up to no good. Whatever would work holds the word `evil`. */
const PARTS = [
  '@everyone',
  '@here',
  '@evilname',
  '<@123456>',
  '<@!evil>',
  '<!channel>',
  '<!here>',
  '<#C012evil>',
  '@**evilname**',
  '@_**evilname|12**',
  '#**evilstream**',
  '#evilhash',
  '/evilcommand',
  'http://evil.test/x?y=1',
  'https://www.evil.test',
  'www.evil.test',
  'evil.test',
  'me@evil.test',
  'mailto:me@evil.test',
  'tg://evil',
  '<http://evil.test|ok>',
  '[evil](http://evil.test)',
  '![evil](http://evil.test/i.png)',
  '<a href="http://evil.test">evil</a>',
  '<img src=x onerror=evil()>',
  '<users/all>',
  '**evilbold**',
  '__evilline__',
  '*evilbold*',
  '_evilline_',
  '~~evilstruck~~',
  '||evilspoiler||',
  '`evilcode`',
  '```evilblock```',
  '$$evilformula$$',
  ':evilsmile:',
  '\n# evil heading',
  '\n> evil quote',
  '\n- evil list',
  '\n1. evil list',
  '&lt;b&gt;evil&lt;/b&gt;',
  '\u202egnp.evil',
  '\u0000\u0007\u001b[31m',
  '\r\nBcc: evil@evil.test\r\n',
  '🔥👩‍👩‍👧‍👦',
  'é\u0301',
  '\ud83d',
  'קריאה',
  'ordinary words of a provider',
  '\\*evilbold\\*',
  '\\\\',
];

/** About so many characters. */
export function evilText(next: () => number, length: number): string {
  let text = '';
  while (text.length < length) text += `${PARTS[Math.floor(next() * PARTS.length)]}${next() < 0.7 ? ' ' : ''}`;
  return text;
}

/** The same numbers in [0, 1) every time, by a name. */
export function numbersOf(name: string): () => number {
  let state = [...name].reduce((sum, char) => Math.imul(sum, 31) + (char.codePointAt(0) ?? 0), 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const twice = mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32;
  };
}
