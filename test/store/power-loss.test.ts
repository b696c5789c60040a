/** Whatever is cut off when, reading gives the last commit that was promised, or the one being written. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredDocument } from '../../src/store/store.ts';
import { openFiles } from '../../src/store/files.ts';
import { toSourceDocument } from '../../src/store/document-name.ts';
import { Killed, choosing, createSimulatedDisk, type SimulatedDisk } from './simulated-disk.ts';
import { runs } from '../support/runs.ts';

interface Numbered {
  n: number;
  text: string;
}

const SHAPE = { schema: 1, migrations: [], empty: { n: 0, text: '' } };

function open(disk: SimulatedDisk): Promise<StoredDocument<Numbered>> {
  const store = openFiles({ directory: '/state', disk, access: 'write', now: () => 0 });
  return store.document<Numbered>(toSourceDocument('page'), SHAPE);
}

/** One life of the daemon and how it ends. */
const life = fc.record({
  commits: fc.integer({ min: 0, max: 4 }),
  /** The operation at which it ends; beyond the last one it ends idle. */
  endsAt: fc.integer({ min: 0, max: 60 }),
  applied: fc.boolean(),
  /** A killed process leaves the system's memory intact; a power cut does not. */
  power: fc.boolean(),
  choices: fc.infiniteStream(fc.nat({ max: 1_000_000 })),
});

test('no end of any life loses a promised commit', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 5 }), async (lives) => {
      const disk = createSimulatedDisk();
      let promised = 0;
      let tried = 0;
      for (const { commits, endsAt, applied, power, choices } of lives) {
        disk.fate = () => (disk.log.length <= endsAt ? 'go' : applied ? 'cut-after' : 'cut-before');
        try {
          const document = await open(disk);
          expect(document.value.n).toBeGreaterThanOrEqual(promised);
          expect(document.value.n).toBeLessThanOrEqual(tried);
          expect(document.value.text).toBe('x'.repeat(document.value.n));
          // What was read may be acted upon, so from here on it may not be lost either.
          promised = document.value.n;
          for (let commit = 0; commit < commits; commit += 1) {
            tried += 1;
            await document.commit({ n: tried, text: 'x'.repeat(tried) });
            promised = tried;
          }
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
        }
        if (power) disk.cutPower((options) => (choices.next().value ?? 0) % options);
        else disk.restart();
      }
      const document = await open(disk);
      expect(document.value.n).toBeGreaterThanOrEqual(promised);
      expect(document.value.n).toBeLessThanOrEqual(tried);
      expect(document.value.text).toBe('x'.repeat(document.value.n));
    }),
    runs(600),
  );
});

test('every single operation of the first three commits may be the last one', async () => {
  const ends = ['cut-before', 'cut-after'] as const;
  let cuts = 0;
  for (const end of ends) {
    for (let at = 1; ; at += 1) {
      let finished = false;
      for (let choices = 0; choices < 32; choices += 1) {
        const disk = createSimulatedDisk();
        disk.fate = () => (disk.log.length === at ? end : 'go');
        let promised = 0;
        let tried = 0;
        try {
          const document = await open(disk);
          for (tried = 1; tried <= 3; tried += 1) {
            await document.commit({ n: tried, text: 'x'.repeat(tried) });
            promised = tried;
          }
          finished = true;
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          cuts += 1;
        }
        disk.cutPower(choosing(choices));
        const { value } = await open(disk);
        expect([promised, Math.min(tried, 3)]).toContain(value.n);
        expect(value.text).toBe('x'.repeat(value.n));
      }
      if (finished) break;
    }
  }
  expect(cuts).toBeGreaterThan(1200);
});

test('the simulated disk does forget: a file never synced can be lost by a power cut', async () => {
  const disk = createSimulatedDisk();
  await disk.makeDirectory('/state');
  await disk.syncDirectory('/');
  const file = await disk.create('/state/a');
  await file.write(Buffer.from('abc'));
  await disk.syncDirectory('/state');
  disk.cutPower(() => 0);
  expect(disk.peek('/state/a')?.toString()).toBe('');
});
