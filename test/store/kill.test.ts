/** A real process, really killed: what it said is committed is there, and the next one goes on from there at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { realDisk } from '../../src/store/disk.ts';
import { toSourceDocument } from '../../src/store/document-name.ts';
import { openFiles } from '../../src/store/files.ts';
import { TRIES_ALL } from '../support/runs.ts';

const KILLS = TRIES_ALL ? 10 : 3;

test(
  `${KILLS} kills in the middle of committing lose nothing that was said to be committed`,
  { timeout: 600_000 },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'linewatch-kill-'));
    try {
      let said = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const program = join(import.meta.dirname, 'committer.ts');
        const child = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
        const exited = once(child, 'exit');
        let lines = 0;
        for await (const line of createInterface({ input: child.stdout })) {
          expect(Number(line)).toBeGreaterThan(said);
          said = Number(line);
          lines += 1;
          if (lines === kill) child.kill('SIGKILL');
        }
        expect(lines).toBeGreaterThanOrEqual(kill);
        expect(await exited).toEqual([null, 'SIGKILL']);
        const store = openFiles({ directory, disk: realDisk, access: 'read', now: () => 0 });
        const document = await store.document(toSourceDocument('page'), {
          schema: 1,
          migrations: [],
          empty: { n: 0, text: '' },
        });
        expect(document.finding).toBeNull();
        // At most the one commit that was under way is there unsaid.
        expect([said, said + 1]).toContain(document.value.n);
        expect(document.value.text).toHaveLength(100_000 + document.value.n);
      }
      expect((await readdir(join(directory, 'sources'))).filter((name) => name.includes('broken'))).toEqual([]);
    } finally {
      await rm(directory, { recursive: true });
    }
  },
);
