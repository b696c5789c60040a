/** What is kept is compared field by field, apart from what is called noise. */
import { describe, expect, test } from 'vitest';
import { isSame, type Noise } from '../../../src/core/engine/significance.ts';

interface Town {
  clock: number;
  phones: { extension: string; lost: boolean; lease?: { until: number } }[] | null;
  blind: Record<string, { since: number; why: string }>;
  note?: string;
}

const TOWN: Town = {
  clock: 1,
  phones: [
    { extension: '100', lost: false, lease: { until: 5 } },
    { extension: '101', lost: true },
  ],
  blind: { toggles: { since: 3, why: 'no answer' } },
};

const NOISE: Noise<Town> = { clock: true, phones: { each: { lease: true } }, blind: { each: { why: true } } };

function changed(change: (town: Town) => void): Town {
  const town = structuredClone(TOWN);
  change(town);
  return town;
}

describe('the same', () => {
  test.each<[string, (town: Town) => void]>([
    ['a copy', () => undefined],
    ['noise', (town) => void (town.clock = 2)],
    ['noise of each in a list', (town) => void (town.phones?.[1] && (town.phones[1].lease = { until: 9 }))],
    ['noise of each in a record', (town) => void Object.assign(town.blind['toggles'] ?? {}, { why: 'refused' })],
    ['a field that is undefined', (town) => void Object.assign(town, { note: undefined })],
  ])('%s', (_, change) => {
    expect([isSame(TOWN, changed(change), NOISE), isSame(changed(change), TOWN, NOISE)]).toEqual([true, true]);
  });
});

describe('not the same', () => {
  test.each<[string, (town: Town) => void]>([
    ['a field that is new', (town) => void (town.note = 'Hello')],
    ['another value', (town) => void (town.phones?.[0] && (town.phones[0].lost = true))],
    ['one more in a list', (town) => void town.phones?.push({ extension: '102', lost: false })],
    ['one more in a record', (town) => void (town.blind['phones'] = { since: 4, why: '' })],
    ['another in a record', (town) => void (town.blind = { phones: { since: 3, why: 'no answer' } })],
    ['nothing where there was something', (town) => void (town.phones = null)],
  ])('%s', (_, change) => {
    expect([isSame(TOWN, changed(change), NOISE), isSame(changed(change), TOWN, NOISE)]).toEqual([false, false]);
  });

  test('what is no noise to others', () => {
    const later = changed((town) => void (town.clock = 2));
    expect(isSame(TOWN, later)).toBe(false);
  });
});
