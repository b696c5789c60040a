/** Slips of the pen that nearly everybody makes once: what is said names the cure. */
import { expect, test } from 'vitest';
import { load, PAGE, told } from './loading.ts';

test.each([
  [
    'an entry of a list out of its column',
    'status_pages:\n  - name: a\n   - name: b\n',
    'the entries of a list stand in one column',
  ],
  [
    'a key out of its column',
    'status_pages:\n  - name: a\n   base_url: "https://a.example"\n',
    'does not stand in one column',
  ],
  [
    'a bare reference in a mapping',
    'receivers:\n  - {name: a,\n     webhook_url: ${credential:a}}\n',
    'has to stand in quotes',
  ],
  [
    'a bare reference with a blank',
    'receivers:\n  - name: a\n    webhook_url: ${credential: a}\n',
    'has to stand in quotes',
  ],
])('%s', async (_what, text, cure) => {
  expect(told(await load(text))[0]).toContain(cure);
});

test('an alias that holds itself or stands for nothing is told where it is written, in a list or behind "<<" as well', async () => {
  const lines = ['a: &a {<<: *a}', 'b: {<<: *nope}', 'c: {<<: 5}', 'd: &d [{<<: *d}]', 'e: &e [x, *e]'];
  expect(told(await load(lines.join('\n')))).toEqual([
    expect.stringContaining(':1:8: a: this alias (*) has no anchor (&) before it, or holds itself'),
    expect.stringContaining(':2:5: b: this alias (*)'),
    expect.stringContaining(':3:5: c: "<<" takes an alias (*) of a mapping'),
    expect.stringContaining(':4:9: d[0][0]: this alias (*)'),
    expect.stringContaining(':5:11: e[1][1]: this alias (*)'),
  ]);
});

test('a value that an alias or "<<" brings is told of where it is written', async () => {
  const text = `status_pages:
  - &page {name: one, base_url: "https://one.example.com", components: {include: [0101, {a: b}]}}
  - {<<: [{interval: 5}, *page], name: two}
  - {<<: *page, name: three, components: {exclude: [007, 5]}}
`;
  expect(told(await load(text))).toEqual([
    expect.stringContaining(':2:89: status_pages[0].components.include[1]: it has to be a text'),
    expect.stringContaining(':2:89: status_pages[1].components.include[1]: it has to be a text'),
    expect.stringContaining(':3:22: status_pages[1].interval: "5" has no unit'),
  ]);
});

test('three thousand accounts are no bomb, with an alias for each ten of them', async () => {
  const keys = 'api_key: key, registrations: {interval: 5m}, toggles: {interval: 5m}';
  const accounts = Array.from({ length: 3000 }, (_, index) => {
    const sites = index % 10 === 0 ? `, sites: ${index === 0 ? '&sites {192.0.2.1: Carlton}' : '*sites'}` : '';
    return `  - {name: a${index}, base_url: "https://a${index}.example.com", ${keys}${sites}}`;
  });
  expect(told(await load(['accounts:', ...accounts].join('\n')))).toEqual([]);
});

test('a key written twice hides no bomb behind it', async () => {
  const ten = (one: string): string => Array(10).fill(one).join(', ');
  const lists = ['ab', 'bc', 'cd', 'de', 'ef'].map(([above, name]) => `${name}: &${name} [${ten(`*${above}`)}]`);
  const lines = told(await load([`a: &a [${ten('x')}]`, ...lists, lists.at(-1)].join('\n')));
  expect(lines).toEqual([
    expect.stringContaining('it unfolds to more than 20000 values'),
    expect.stringContaining('7:1: the key "f" is written twice'),
  ]);
});

test('an entry that is wrong leaves those after it their numbers and their lines', async () => {
  const text = `${PAGE}receivers: [{name: bus, type: webhook, url: "https://bus.example.com"}]
route:
  receivers: [{a: b}, bus, bsu]
  routes: [5, {receivers: [[], none]}]
`;
  expect(told(await load(text))).toEqual([
    expect.stringContaining(':4:15: route.receivers[0]: it has to be a text, and is a mapping'),
    expect.stringContaining(':4:28: route.receivers[2]: no receiver is named "bsu"'),
    expect.stringContaining(':5:12: route.routes[0]: it has to be a mapping (key: value), and is a number'),
    expect.stringContaining(':5:28: route.routes[1].receivers[0]: it has to be a text, and is a list'),
    expect.stringContaining(':5:32: route.routes[1].receivers[1]: no receiver is named "none"'),
  ]);
});

test('a quote that is not closed is told where it opens, and not where a later one does', async () => {
  const text = 'instance: a\nroute: {receivers: ["bus]}\nreceivers: [{name: "bus", type: webhook}]\n';
  expect(told(await load(text))[0]).toContain('linewatch.yaml:2:21: a quote is opened and not closed');
});
