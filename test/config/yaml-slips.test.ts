/** Slips of the pen that nearly everybody makes once: what is said names the cure. */
import { expect, test } from 'vitest';
import { load, told } from './loading.ts';

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

test('a quote that is not closed is told where it opens, and not where a later one does', async () => {
  const text = 'instance: a\nroute: {receivers: ["bus]}\nreceivers: [{name: "bus", type: webhook}]\n';
  expect(told(await load(text))[0]).toContain('linewatch.yaml:2:21: a quote is opened and not closed');
});
