/** What a store does, wherever it keeps its documents: in files, and in a database that is there for the test. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toInstanceDocument, toReceiverDocument, toSourceDocument } from '../../src/store/document-name.ts';
import type { Migration } from '../../src/store/envelope.ts';
import type { Store, StoredDocument } from '../../src/store/store.ts';

export interface Numbered {
  n: number;
}

export const EMPTY: Numbered = { n: 0 };

/** Opens the documents of one place; each time as another process would. */
export type OpenPlace = (access: 'read' | 'write') => Store;

/** `newPlace`: one in which nothing is yet; `runs`: how often what is random is tried. */
export function storeSuite(newPlace: () => OpenPlace, runs: { numRuns?: number } = {}): void {
  const shape = { schema: 1, migrations: [], empty: EMPTY };

  function openIn(
    place: OpenPlace,
    { schema = 1, migrations = [] }: { schema?: number; migrations?: readonly Migration[] } = {},
    access: 'read' | 'write' = 'write',
  ): Promise<StoredDocument<Numbered>> {
    return place(access).document<Numbered>(toSourceDocument('page'), { schema, migrations, empty: EMPTY });
  }

  describe('any document', () => {
    test('is empty while nothing was committed, and opening it leaves nothing behind', async () => {
      const place = newPlace();
      const document = await openIn(place);
      expect([document.value, document.finding]).toEqual([EMPTY, null]);
      expect(await place('read').list('source')).toEqual([]);
    });

    test('comes back as it was committed, and its value is what is durable', async () => {
      const place = newPlace();
      const document = await openIn(place);
      const saving = document.commit({ n: 1 });
      expect(document.value.n).toBe(0);
      await saving;
      expect(document.value.n).toBe(1);
      await Promise.all([2, 3, 4].map((n) => document.commit({ n })));
      const again = await openIn(place);
      expect([again.value, again.finding]).toEqual([{ n: 4 }, null]);
    });

    test('that was superseded shows the newer value here, and the saved one elsewhere until the next commit', async () => {
      const place = newPlace();
      const document = await openIn(place);
      await document.commit({ n: 1 });
      document.supersede({ n: 2 });
      expect([document.value.n, (await openIn(place)).value.n]).toEqual([2, 1]);
      await document.commit({ n: 3 });
      expect([document.value.n, (await openIn(place)).value.n]).toEqual([3, 3]);
    });

    test('is written once more when it is asked to be, the newest value and only what was committed', async () => {
      const place = newPlace();
      const [store, other] = [place('write'), place('write')];
      const document = await store.document<Numbered>(toSourceDocument('page'), shape);
      await store.document<Numbered>(toSourceDocument('unused'), shape);
      await document.commit({ n: 1 });
      // A copy lacks the last commit.
      await other.remove(toSourceDocument('page'));
      await store.saveAgain();
      expect((await openIn(place, {}, 'read')).value).toEqual({ n: 1 });
      await Promise.all([document.commit({ n: 2 }), document.commit({ n: 3 }), store.saveAgain()]);
      expect((await openIn(place, {}, 'read')).value).toEqual({ n: 3 });
      expect(await place('read').list('source')).toEqual(['page']);
    });

    test('holds whatever JSON can hold', async () => {
      const place = newPlace();
      const held = { schema: 1, migrations: [], empty: { json: null as unknown } };
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary' }), async (json) => {
          await (await place('write').document(toSourceDocument('page'), held)).commit({ json });
          const { value } = await place('read').document(toSourceDocument('page'), held);
          expect(JSON.stringify(value)).toBe(JSON.stringify({ json }));
        }),
        runs,
      );
    });

    test('opened twice is the same one', async () => {
      const store = newPlace()('write');
      const [first, second] = await Promise.all([
        store.document<Numbered>(toSourceDocument('page'), shape),
        store.document<Numbered>(toSourceDocument('page'), shape),
      ]);
      expect(first).toBe(second);
    });

    test('can be read by whoever may not write it', async () => {
      const place = newPlace();
      await (await openIn(place)).commit({ n: 3 });
      const document = await openIn(place, {}, 'read');
      expect(document.value.n).toBe(3);
      await expect(document.commit({ n: 4 })).rejects.toThrow('opened for reading only');
      await expect(place('read').remove(toSourceDocument('page'))).rejects.toThrow('opened for reading only');
      expect((await openIn(place)).value.n).toBe(3);
    });
  });

  describe('a schema', () => {
    const migrations: Migration[] = [
      { to: 3, change: (value) => ({ n: (value as Numbered).n * 10 }) },
      { to: 2, change: (value) => ({ n: (value as Numbered).n + 1 }) },
    ];

    async function placeAfter(n: number, schema = 1): Promise<OpenPlace> {
      const place = newPlace();
      await (await openIn(place, { schema })).commit({ n });
      return place;
    }

    test('that is older is brought up step by step, and stays until the next commit', async () => {
      const place = await placeAfter(1);
      const document = await openIn(place, { schema: 3, migrations });
      expect(document.value.n).toBe(20);
      expect(document.finding).toMatchObject({ kind: 'migrated' });
      expect((await openIn(place)).value.n).toBe(1);
      await document.commit({ n: 21 });
      const again = await openIn(place, { schema: 3, migrations });
      expect([again.value.n, again.finding]).toEqual([21, null]);
    });

    test('that is newer is refused, and nothing is touched', async () => {
      const place = await placeAfter(2, 7);
      await expect(openIn(place, { schema: 3, migrations })).rejects.toMatchObject({
        name: 'StateRefused',
        kind: 'newer-schema',
        message: expect.stringContaining(
          'was written by a newer Linewatch (schema 7; this one knows up to 3).',
        ) as string,
      });
      expect((await openIn(place, { schema: 7 })).value.n).toBe(2);
    });

    test('to which a step is missing or fails is refused, and nothing is touched', async () => {
      const place = await placeAfter(1);
      await expect(openIn(place, { schema: 3, migrations: migrations.slice(0, 1) })).rejects.toMatchObject({
        kind: 'unknown-schema',
        message: expect.stringContaining('no way up from 1') as string,
      });
      const failing = {
        to: 2,
        change: () => {
          throw new Error('a step that is wrong');
        },
      };
      await expect(openIn(place, { schema: 2, migrations: [failing] })).rejects.toMatchObject({
        kind: 'unknown-schema',
      });
      expect((await openIn(place)).value.n).toBe(1);
    });
  });

  describe('the documents of any store', () => {
    test('are listed by kind and removed', async () => {
      const store = newPlace()('write');
      for (const which of [
        toSourceDocument('b'),
        toSourceDocument('a'),
        toReceiverDocument('ops: "Slack"/#1'),
        toInstanceDocument('silences'),
      ]) {
        const document = await store.document<Numbered>(which, shape);
        await document.commit({ n: 1 });
        await document.commit({ n: 2 });
      }
      expect(await store.list('source')).toEqual(['a', 'b']);
      expect(await store.list('receiver')).toEqual(['ops: "Slack"/#1']);
      expect(await store.list('instance')).toEqual(['silences']);
      const open = await store.document<Numbered>(toSourceDocument('a'), shape);
      await store.remove(toSourceDocument('a'));
      await store.remove(toSourceDocument('never-was'));
      expect(await store.list('source')).toEqual(['b']);
      await expect(open.commit({ n: 3 })).rejects.toThrow('was removed');
      expect((await store.document<Numbered>(toSourceDocument('a'), shape)).value).toBe(EMPTY);
    });

    test('are read again after their memory was freed, and keep what was committed before', async () => {
      const store = newPlace()('write');
      const which = toSourceDocument('a');
      const before = await store.document<Numbered>(which, shape);
      const saving = before.commit({ n: 1 });
      await store.release(which);
      await saving;
      await expect(before.commit({ n: 2 })).rejects.toThrow('was released');
      const again = await store.document<Numbered>(which, shape);
      expect(again).not.toBe(before);
      expect(again.value).toEqual({ n: 1 });
      await again.commit({ n: 3 });
      await store.release(toSourceDocument('never-was'));
      expect((await store.document<Numbered>(which, shape)).value).toEqual({ n: 3 });
    });

    test('are safe once it is closed, which refuses what comes later', async () => {
      const place = newPlace();
      const store = place('write');
      const document = await store.document<Numbered>(toSourceDocument('page'), shape);
      const saving = document.commit({ n: 1 });
      await store.close();
      expect(document.value.n).toBe(1);
      await saving;
      await expect(document.commit({ n: 2 })).rejects.toThrow('is closed');
      await expect(store.document(toSourceDocument('other'), shape)).rejects.toThrow('is closed');
      expect((await openIn(place)).value.n).toBe(1);
    });

    test.each([
      [toSourceDocument('../etc'), 'may hold only a-z, 0-9 and "-"'],
      [toSourceDocument(''), 'may hold only'],
      [toInstanceDocument('A'), 'may hold only'],
      [toReceiverDocument(''), 'at least one character'],
      [toReceiverDocument('\uD800'), 'must be text'],
      [toReceiverDocument('é '.repeat(60)), 'is too long'],
    ])('%o is no name', async (which, words) => {
      await expect(newPlace()('write').document(which, shape)).rejects.toThrow(words);
    });

    test('of receivers come back whatever their names hold', async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 15 }), async (name) => {
          const store = newPlace()('write');
          await (await store.document<Numbered>(toReceiverDocument(name), shape)).commit({ n: 1 });
          expect(await store.list('receiver')).toEqual([name]);
        }),
        runs,
      );
    });
  });
}
