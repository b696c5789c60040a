/** A process that owns the state directory in its arguments and commits one number after the other until it is killed. */
import { realDisk } from '../../src/store/disk.ts';
import { toSourceDocument } from '../../src/store/document-name.ts';
import { lockStateDirectory } from '../../src/store/lock.ts';
import { openFiles } from '../../src/store/files.ts';

const [, , directory = ''] = process.argv;
await lockStateDirectory({ directory, pid: process.pid, user: null });
const store = openFiles({ directory, disk: realDisk, access: 'write', now: () => 0 });
const shape = { schema: 1, migrations: [], empty: { n: 0, text: '' } };
const document = await store.document(toSourceDocument('page'), shape);
if (document.finding !== null) throw new Error(document.finding.message);
for (let { n } = document.value; ;) {
  n += 1;
  await document.commit({ n, text: 'x'.repeat(100_000 + n) });
  process.stdout.write(`${n}\n`);
}
