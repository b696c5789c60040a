/** The reader of an inbox itself: which messages it takes for one said twice. */
import { describe, expect, it } from 'vitest';
import { nights } from './kinds.ts';
import type { Read } from './play.ts';
import { MINUTE } from './town.ts';
import { faultsOfWords } from './words.ts';

const [night] = nights(1, 1, 'site: down twice');
if (night === undefined) throw new Error('there is no such night');
const { start } = night;

function read(minute: number, number: number, title: string, [kind, kicker]: readonly [string, string]): Read {
  const change = { status: '', kind, source: '', subject: '', from: null, to: null, details: {} };
  const text = `${title}\n#${number} · ${kicker} · provider`;
  return { at: start + minute * MINUTE, alert: { id: `a${number}`, number }, title, text, changes: [change] };
}

function repeated(inbox: readonly Read[]): string[] {
  if (night === undefined) return [];
  return faultsOfWords(night, inbox, new Set()).repeated;
}

const opened = ['notice.opened', 'Critical · New'] as const;
const resolved = ['notice.state', 'Resolved'] as const;
const OVER = 'Resolved: Registrations failing — after 20 min';

describe('the same end under two numbers', () => {
  it('is no repetition where the second notice was opened after the end of the first', () => {
    const inbox = [
      read(1, 1, 'Registrations failing', opened),
      read(21, 1, OVER, resolved),
      read(60, 2, 'Registrations failing', opened),
      read(80, 2, OVER, resolved),
    ];
    expect(repeated(inbox)).toEqual([]);
  });

  it('is one where both notices were open at once', () => {
    const inbox = [
      read(1, 1, 'Registrations failing', opened),
      read(2, 2, 'Registrations failing', opened),
      read(21, 1, OVER, resolved),
      read(22, 2, OVER, resolved),
    ];
    expect(repeated(inbox)).toHaveLength(1);
  });

  it('is one where phones ended twice in the same words', () => {
    const lost = ['registration.mass', 'Critical · New'] as const;
    const back = ['registration.restored', 'Resolved'] as const;
    const inbox = [
      read(1, 1, '10 of 10 phones offline', lost),
      read(21, 1, 'All 10 phones are online again — after 20 min', back),
      read(60, 2, '10 of 10 phones offline', lost),
      read(80, 2, 'All 10 phones are online again — after 20 min', back),
    ];
    expect(repeated(inbox)).toHaveLength(1);
  });
});
