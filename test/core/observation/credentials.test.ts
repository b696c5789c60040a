/** What is refused is told by its collections: one that was read since is not refused any more. */
import { describe, expect, test } from 'vitest';
import { judgeCredentials, isPartRefused, type Refused } from '../../../src/core/observation/health.ts';
import { ACCOUNT_PARTS, type Miss, type MissedParts } from '../../../src/core/observation/listing.ts';
import { toTimestamp } from '../../../src/core/transition/details.ts';

const SETTING = { baseUrl: 'https://api.example.test', keyless: false, whole: ACCOUNT_PARTS };
const REFUSED: Miss = { kind: 'missed', code: 'credentials', why: 'the credentials were refused with 401' };
const LATE: Miss = { kind: 'missed', code: 'timeout', why: 'no answer within 15 s' };

/** One look after the other, a second apart. */
function look(...looks: readonly MissedParts[]) {
  let refused: Refused = null;
  let told: ReturnType<typeof judgeCredentials>['drafts'] = [];
  for (const [second, parts] of looks.entries()) {
    ({ refused, drafts: told } = judgeCredentials(refused, parts, SETTING, second * 1000));
  }
  return { refused, told };
}

describe('a refusal that moves from one collection to another', () => {
  test('is told of what is refused now, and not of the whole account', () => {
    const { refused, told } = look(
      { registrations: REFUSED, toggles: null },
      { registrations: null, toggles: REFUSED },
    );
    expect(refused).toEqual({ since: 1000, why: REFUSED.why, parts: ['toggles'] });
    expect(isPartRefused(refused, 'registrations')).toBe(false);
    expect(told).toMatchObject([
      {
        kind: 'source.credentials',
        to: `toggles: ${REFUSED.why}`,
        details: { parts: ['toggles'], reasons: [REFUSED.why], since: toTimestamp(1000) },
      },
    ]);
  });

  test('is one of the whole account where nothing was read in between', () => {
    for (const registrations of [REFUSED, LATE]) {
      const { refused, told } = look({ registrations: REFUSED, toggles: null }, { registrations, toggles: REFUSED });
      expect(refused).toEqual({ since: 0, why: REFUSED.why, parts: null });
      expect(told).toMatchObject([{ kind: 'source.credentials', to: REFUSED.why, details: { since: toTimestamp(0) } }]);
      expect(told[0]?.details).not.toHaveProperty('parts');
    }
  });

  test('is of what was not asked for since, too', () => {
    const { refused } = look({ registrations: REFUSED }, { toggles: REFUSED });
    expect(refused?.parts).toBe(null);
  });
});

describe('a refusal of the whole account', () => {
  const WHOLE = { registrations: REFUSED, toggles: REFUSED };

  test('is one of the rest where a part is read again, which is no message by itself', () => {
    const { refused, told } = look(WHOLE, { registrations: null, toggles: REFUSED });
    expect(refused).toEqual({ since: 0, why: REFUSED.why, parts: ['toggles'] });
    expect(told).toEqual([]);
  });

  test('is told again where it comes back to what was read meanwhile', () => {
    const { refused, told } = look(WHOLE, { registrations: null, toggles: REFUSED }, WHOLE);
    expect(refused?.parts).toBe(null);
    expect(told).toMatchObject([{ kind: 'source.credentials', to: REFUSED.why }]);
  });

  test('that goes on is told once', () => {
    const { refused, told } = look(WHOLE, { registrations: LATE, toggles: REFUSED }, WHOLE);
    expect(refused).toEqual({ since: 0, why: REFUSED.why, parts: null });
    expect(told).toEqual([]);
  });

  test('of a document that does not tell its parts apart ends by its parts as well', () => {
    const before = { since: 0, why: REFUSED.why };
    const { refused } = judgeCredentials(before, { registrations: null, toggles: REFUSED }, SETTING, 1000);
    expect(refused?.parts).toEqual(['toggles']);
    expect(judgeCredentials(before, WHOLE, SETTING, 1000)).toEqual({ refused: before, drafts: [] });
  });

  test('is over once nothing is refused and something was read', () => {
    const { refused, told } = look(WHOLE, { registrations: null, toggles: null });
    expect(refused).toBe(null);
    expect(told).toMatchObject([{ kind: 'source.accepted' }]);
  });
});
