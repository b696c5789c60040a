/** What people read of toggles: one event is one message, and names what it is about. */
import { describe, expect, it } from 'vitest';
import type { Toggle } from '../../../src/core/account/account-model.ts';
import type { ToggleExpectation } from '../../../src/core/account/settings.ts';
import { composeContent, type MessageContent } from '../../../src/core/wording/message-content.ts';
import { SETTINGS, town } from './paper-town.ts';

/** Always to be on. */
function expecting(toggle: string, severity: ToggleExpectation['severity'] = 'warning'): ToggleExpectation {
  const range = { days: [1, 2, 3, 4, 5, 6, 7], start: 0, endDay: 0, end: 1440 };
  return { toggle, severity, grace: 0, hours: { ranges: [range], except: [], timezone: 'Australia/Melbourne' } };
}

function office(toggles: Toggle[], expectations: ToggleExpectation[] = []) {
  const all = town();
  const account = all.account('acme', [], { ...SETTINGS, expectations });
  account.toggles = toggles;
  account.sweep(0);
  const told = (): MessageContent[] =>
    all
      .people()
      .slice(1)
      .map((message) =>
        composeContent(message, { timezone: 'UTC', instance: 'hq', externalUrl: null, now: all.now() }),
      );
  return { account, told, headlines: () => told().map(({ headline }) => headline) };
}

function on(id: string, name: string): Toggle {
  return { id, name, status: true };
}

const FIVE = ['Night', 'Lunch', 'Holiday', 'Storm', 'Strike'].map((name, index) => on(`30${index}`, name));

describe('toggles that change in one sweep', () => {
  it('are one message: deleted', () => {
    const { account, told, headlines } = office(FIVE);
    account.toggles = FIVE.slice(0, 1);
    account.sweep();
    account.sweep();
    expect(headlines()).toEqual(['Toggles deleted: “Lunch”, “Holiday”, “Storm” and 1 more']);
    expect(told()[0]?.lists.flatMap(({ items }) => items)).toEqual([
      'Toggle deleted: “Lunch”, last on',
      'Toggle deleted: “Holiday”, last on',
      'Toggle deleted: “Storm”, last on',
      'Toggle deleted: “Strike”, last on',
    ]);
    expect(told()[0]?.sentences).toEqual([
      'They are gone, which is not the same as off: what their call flows do now is not known.',
    ]);
  });

  it('are one message: switched the same way', () => {
    const { account, told, headlines } = office(FIVE);
    account.toggles = FIVE.map((toggle, index) => ({ ...toggle, status: index > 1 }));
    account.sweep();
    expect(headlines()).toEqual(['Switched off: “Night” and “Lunch”']);
    expect(told()[0]?.lists).toEqual([]);
  });

  it('are one message: switched each its own way', () => {
    const { account, headlines } = office([on('1', 'Night'), { id: '2', name: 'Lunch', status: false }]);
    account.toggles = [{ id: '1', name: 'Night', status: false }, on('2', 'Lunch')];
    account.sweep();
    expect(headlines()).toEqual(['Switched: “Night” off and “Lunch” on']);
  });
});

describe('an expected toggle', () => {
  it('that is deleted is told once, and under the name it had', () => {
    const { account, told, headlines } = office(FIVE, [expecting('302', 'critical')]);
    account.toggles = FIVE.filter(({ id }) => id !== '302');
    account.sweep();
    expect(headlines()).toEqual([]);
    account.sweep();
    expect(headlines()).toEqual(['Toggle not found: “Holiday”']);
    expect(told()[0]).toMatchObject({ title: 'Toggle “Holiday” not found', severity: 'critical' });
    expect(told()[0]?.lists.flatMap(({ items }) => items)).toContain('Toggle deleted: “Holiday”, last on');
    account.toggles = FIVE;
    account.sweep();
    expect(headlines().slice(1)).toEqual([expect.stringMatching(/^“Holiday” is ON again, as expected — after /)]);
  });

  it('whose name others have as well is not called missing', () => {
    const { account, told } = office([on('1', 'Night'), on('2', 'Lunch')], [expecting('Night')]);
    account.toggles = [on('1', 'Night'), on('2', 'Night')];
    account.sweep();
    expect(told()).toEqual([
      expect.objectContaining({
        title: '2 toggles are called “Night”',
        headline: '2 toggles are called “Night”: use the id in toggles.expect (1, 2)',
      }),
    ]);
  });
});
