/** Names of the language are names like any other, and none of them slips through. */
import { expect, test } from 'vitest';
import { load, loaded, PAGE, told } from './loading.ts';

const ACCOUNT = 'name: a, base_url: "https://x.example.com", api_key: kkkk';

test('a label may be called like something every object has', async () => {
  const result = await load(
    `${PAGE}accounts: [{${ACCOUNT}, labels: {customer: b, toString: t}}]\n` +
      'account_defaults: {labels: {constructor: q}}\n' +
      'severity_overrides: [{matchers: {constructor: q}, severity: info}]\n',
  );
  expect(told(result)).toEqual([]);
  expect(loaded(result).accounts[0]?.labels).toEqual({ constructor: 'q', customer: 'b', toString: 't' });
});

test('a matcher that asks for a label nobody has is refused, whatever it is called', async () => {
  for (const key of ['constructor', 'toString', '__proto__']) {
    const result = await load(`${PAGE}severity_overrides: [{matchers: {${key}: x}, severity: info}]\n`);
    expect(told(result)).toEqual([expect.stringContaining(`matchers.${key}: unknown key`)]);
  }
});
