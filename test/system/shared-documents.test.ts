/** Documents of another member in a real PostgreSQL: what a reading fetches, and what it finds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { toInstanceDocument, toReceiverDocument, toSourceDocument } from '../../src/store/document-name.ts';
import type { Database } from '../../src/store/postgres/connection.ts';
import { openDocuments } from '../../src/store/postgres/documents-in-database.ts';
import { takeLease, type Term } from '../../src/store/postgres/lease.ts';
import {
  openSharedDocuments,
  type SharedDocuments,
  type SharedDocumentsOptions,
} from '../../src/store/postgres/shared-documents.ts';
import type { Store } from '../../src/store/store.ts';
import { startPreparedPostgres, whyNoPostgres, type RealPostgres } from './real-postgres.ts';

const shape = { schema: 1, migrations: [], empty: { n: 0 } };
const [still, changing, other] = [toSourceDocument('still'), toSourceDocument('changing'), toSourceDocument('other')];

describe.skipIf(whyNoPostgres !== null)(
  `documents of another member${whyNoPostgres === null ? '' : ` (skipped: ${whyNoPostgres})`}`,
  () => {
    let postgres: RealPostgres;
    let database: Database;
    let term: Term;
    let places = 0;

    beforeAll(async () => {
      const prepared = await startPreparedPostgres();
      ({ postgres, database } = prepared);
      return prepared.close;
    });

    /** An installation of its own, with these sources saved. */
    async function begin(): Promise<Store> {
      places += 1;
      const [instance, holder] = [`place ${places}`, 'a/1'];
      const taken = await takeLease(database, {
        instance,
        name: 'all',
        holder,
        format: 1,
        leaseMs: 60_000,
        lapsed: null,
      });
      term = { instance, name: 'all', holder, epoch: taken?.epoch ?? 0 };
      const store = openDocuments({ database, instance, term });
      for (const which of [still, changing, other]) await (await store.document(which, shape)).commit({ n: 1 });
      return store;
    }

    function follow(more: Partial<SharedDocumentsOptions> = {}): {
      documents: SharedDocuments;
      /** Names that were read since the last call. */
      read(): string[];
    } {
      let names: string[] = [];
      const documents = openSharedDocuments({
        database,
        instance: term.instance,
        group: 1,
        sources: { names: ['other'], isExcluded: true },
        keep(which, { value }) {
          names.push(which.name);
          return value as object;
        },
        ...more,
      });
      return {
        documents,
        read() {
          const since = names.toSorted();
          names = [];
          return since;
        },
      };
    }

    it('reads again only what was saved since', async () => {
      const store = await begin();
      const { documents, read } = follow();
      expect([await documents.refresh(), read()]).toEqual([true, ['changing', 'still']]);
      expect([await documents.refresh(), read()]).toEqual([false, []]);
      await (await store.document(changing, shape)).commit({ n: 2 });
      expect([await documents.refresh(), read()]).toEqual([true, ['changing']]);
      expect([documents.get(still), documents.get(changing), documents.get(other)]).toEqual([{ n: 1 }, { n: 2 }, null]);
      expect([await documents.refresh(), read()]).toEqual([false, []]);
    });

    it('finds what was removed', async () => {
      const store = await begin();
      const { documents, read } = follow();
      await documents.refresh();
      await store.remove(changing);
      read();
      expect([await documents.refresh(), documents.list('source'), read()]).toEqual([true, ['still'], []]);
    });

    it('finds what was saved after the clock of the database was set back', async () => {
      await begin();
      const { documents, read } = follow();
      await documents.refresh();
      read();
      postgres.sql(`update linewatch_document set value = '{"n":3}', saved_at = saved_at - interval '1 hour'
        where instance = '${term.instance}' and name = 'changing'`);
      expect([await documents.refresh(), documents.get(changing), read()]).toEqual([true, { n: 3 }, ['changing']]);
      expect([await documents.refresh(), read()]).toEqual([false, []]);
    });

    it('reads sources of its shard, and what that shard has of its own', async () => {
      const store = await begin();
      const own = openDocuments({ database, instance: term.instance, group: 2, term });
      const receiver = toReceiverDocument('büro/1');
      for (const [from, n] of [
        [store, 1],
        [own, 2],
      ] as const) {
        for (const which of [receiver, toInstanceDocument('linewatch')]) {
          await (await from.document(which, shape)).commit({ n });
        }
      }
      const first = follow().documents;
      const second = follow({ group: 2, sources: { names: ['other'], isExcluded: false } }).documents;
      await Promise.all([first.refresh(), second.refresh()]);
      expect([first.list('source'), second.list('source')]).toEqual([['changing', 'still'], ['other']]);
      expect([first.get(receiver), second.get(receiver)]).toEqual([{ n: 1 }, { n: 2 }]);
      expect(second.get(toInstanceDocument('linewatch'))).toEqual({ n: 2 });
      expect(second.list('receiver')).toEqual(['büro/1']);
    });

    it('tries a document again that could not be kept', async () => {
      await begin();
      let isBroken = true;
      const { documents } = follow({
        keep(_which, { value }) {
          if (isBroken) throw new Error('it is newer');
          return value as object;
        },
      });
      await expect(documents.refresh()).rejects.toThrow('it is newer');
      isBroken = false;
      expect([await documents.refresh(), documents.list('source')]).toEqual([true, ['changing', 'still']]);
    });
  },
);
