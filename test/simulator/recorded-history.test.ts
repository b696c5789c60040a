/** Histories as files: what a step may hold, what it takes over from the ones before, and how a mistake is named. */
import { expect, test } from 'vitest';
import { readHistory } from '../../src/simulator/recorded-history.ts';

const AT = '2026-03-02T09:00:00Z';
const PAGE = { page: { name: 'Example', state: 'operational' } };

function read(...steps: object[]): ReturnType<typeof readHistory>['steps'] {
  return readHistory(JSON.stringify({ steps }), 'night.json').steps;
}

test('what a step of the page does not hold is as before', () => {
  const trunks = { id: 1, name: 'Trunks', state: 'operational' };
  const steps = read(
    { at: AT, status: PAGE, components: [trunks] },
    { at: AT, account: 'acme', toggles: [] },
    { at: AT, components: [{ ...trunks, state: 'degraded' }] },
  );
  expect(steps[1]?.documents).toBeNull();
  expect(steps[2]?.documents).toMatchObject({ page: PAGE.page, components: [{ state: 'degraded' }], notices: [] });
});

test('an account answers in raw form, and only with what was new', () => {
  const [step] = read({ at: AT, account: 'acme', registrations: { '101': [] }, toggles: { error: 503 } });
  expect(step?.account).toEqual({
    name: 'acme',
    answers: { registrations: { '101': [] }, toggles: { error: 503 } },
  });
  expect(step?.documents).toBeNull();
});

test('a history without a name is called as its file', () => {
  const text = JSON.stringify({ accounts: { acme: { sites: {} } }, steps: [{ at: AT, account: 'acme' }] });
  expect(readHistory(text, '/tmp/night.json')).toMatchObject({ name: 'night', title: '', accounts: { acme: {} } });
});

test.each([
  ['{', 'night.json is not JSON'],
  ['[]', 'night.json is not a recorded history: '],
  ['{"steps":[]}', 'night.json is not a recorded history: steps: '],
  ['{"steps":[7]}', 'night.json: step 1: '],
  ['{"steps":[{"at":"yesterday"}]}', 'night.json: step 1: at: '],
  [JSON.stringify({ steps: [{ at: AT, registrations: {} }] }), 'night.json: step 1: registrations: whose?'],
  [JSON.stringify({ steps: [{ at: AT, notices: [] }] }), 'night.json: step 1: status: the first step of a page'],
  [
    JSON.stringify({
      steps: [
        { at: AT, status: PAGE },
        { at: AT, components: [{ id: 'x', name: 'SMS', state: 'operational' }] },
      ],
    }),
    'night.json: step 2: components[0].id: ',
  ],
  [
    JSON.stringify({ steps: [{ at: AT, account: 'acme', registratons: {} }] }),
    'night.json: step 1: "registratons": unknown key; a step may hold at, note, status,',
  ],
  [
    JSON.stringify({ steps: [{ at: AT, status: PAGE }, { at: '2026-03-02T08:59:59Z' }] }),
    'night.json: step 2: at: it is earlier than that of the step before it',
  ],
])('%s is refused', (text, sentence) => {
  expect(() => readHistory(text, 'night.json')).toThrow(sentence);
});
