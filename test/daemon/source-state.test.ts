/** The document of a source that an older version wrote. */
import { expect, test } from 'vitest';
import { migrateDocument } from '../../src/daemon/common/documents.ts';

function migrated(snapshot: object): unknown {
  return migrateDocument({ kind: 'source', name: 'carrier' }, { schema: 2, value: { lastNumber: 7, snapshot } });
}

test('keeps which notices name no components under the present name, and changes no other', () => {
  const [unnamed, named] = [
    { id: '1', state: 'investigating' },
    { id: '2', state: 'resolved' },
  ];
  expect(migrated({ page: null, notices: [{ ...unnamed, namesNobody: true }, named] })).toEqual({
    lastNumber: 7,
    snapshot: { page: null, notices: [{ ...unnamed, namesNoComponents: true }, named] },
  });
});

test.each([
  ['a page that was never read', { page: null, notices: null }],
  ['an account', { phones: [], toggles: null }],
])('of %s stays as it is', (_, snapshot) => {
  expect(migrated(snapshot)).toEqual({ lastNumber: 7, snapshot });
});
