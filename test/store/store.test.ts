/** Documents on a disk that is damaged, full, read-only or slow, and on the real one. */
import { mkdtemp, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { DiskError, realDisk } from '../../src/store/disk.ts';
import { toReceiverDocument, toSourceDocument } from '../../src/store/document-name.ts';
import type { Migration } from '../../src/store/envelope.ts';
import type { Store, StoredDocument } from '../../src/store/store.ts';
import { openFiles } from '../../src/store/files.ts';
import { TRIES_ALL } from '../support/runs.ts';
import { Killed, choosing, createSimulatedDisk, type SimulatedDisk, type Verdict } from './simulated-disk.ts';
import { EMPTY, storeSuite, type Numbered } from './suite.ts';

const CURRENT = '/state/sources/page.json';
const PREVIOUS = '/state/sources/page.previous';
const NOON = Date.UTC(2026, 10, 20, 12);

function storeOn(disk: SimulatedDisk, access: 'read' | 'write' = 'write'): Store {
  return openFiles({ directory: '/state', disk, access, now: () => NOON });
}

function open(
  disk: SimulatedDisk,
  { access = 'write', schema = 1, migrations = [] }: Partial<Options> = {},
): Promise<StoredDocument<Numbered>> {
  return storeOn(disk, access).document<Numbered>(toSourceDocument('page'), { schema, migrations, empty: EMPTY });
}
interface Options {
  access: 'read' | 'write';
  schema: number;
  migrations: readonly Migration[];
}

/** A disk with the commits 1 to `n`, the daemon gone. */
async function diskAfter(n: number, options: Partial<Options> = {}): Promise<SimulatedDisk> {
  const disk = createSimulatedDisk();
  const document = await open(disk, options);
  for (let commit = 1; commit <= n; commit += 1) await document.commit({ n: commit });
  disk.restart();
  return disk;
}

function filesOf(disk: SimulatedDisk): Promise<string[]> {
  return disk.list('/state/sources').then((names) => names.toSorted());
}

storeSuite(
  () => {
    const disk = createSimulatedDisk();
    return (access) => storeOn(disk, access);
  },
  { numRuns: TRIES_ALL ? 100 : 20 },
);

test('a disk that neither writes nor refuses is given up after a minute, and used again once it works', async () => {
  const disk = createSimulatedDisk();
  const document = await open(disk);
  await document.commit({ n: 1 });
  const works = Promise.withResolvers<Verdict>();
  disk.fate = () => works.promise;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    let outcome = 'none';
    const saving = document.commit({ n: 2 }).catch((error: unknown) => (outcome = String(error)));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(outcome).toBe('none');
    await vi.advanceTimersByTimeAsync(1);
    await saving;
    expect([outcome, document.value.n]).toEqual([
      `SaveTimeout: Cannot write ${CURRENT}: it has taken a minute, and there is no error.`,
      1,
    ]);
  } finally {
    vi.useRealTimers();
  }
  works.resolve('go');
  await document.commit({ n: 3 });
  expect((await open(disk, { access: 'read' })).value.n).toBe(3);
});

describe('the names of documents', () => {
  test('are those of before while they cannot be listed, without what was removed', async () => {
    const disk = createSimulatedDisk();
    const store = storeOn(disk);
    for (const name of ['page', 'other']) {
      await (
        await store.document<Numbered>(toSourceDocument(name), { schema: 1, migrations: [], empty: EMPTY })
      ).commit({ n: 1 });
    }
    const list = vi.spyOn(disk, 'list').mockRejectedValue(new DiskError('read', '/state/sources', new Error('EIO')));
    await expect(store.list('source')).rejects.toThrow(DiskError);
    list.mockRestore();
    expect(await store.list('source')).toEqual(['other', 'page']);
    await store.remove(toSourceDocument('other'));
    vi.spyOn(disk, 'list').mockRejectedValue(new DiskError('read', '/state/sources', new Error('EIO')));
    expect(await store.list('source')).toEqual(['page']);
  });
});

describe('a document', () => {
  test('is empty while nothing was committed, and opening it leaves nothing on disk', async () => {
    const disk = createSimulatedDisk();
    const document = await open(disk);
    expect(document.value).toBe(EMPTY);
    expect(document.finding).toBeNull();
    expect(disk.log.filter((line) => !line.startsWith('read '))).toEqual([]);
  });
});

describe('damage', () => {
  const whole = { n: 3 };
  test('any change of any bit is found, and the previous copy takes its place', async () => {
    const pristine = (await diskAfter(3)).peek(CURRENT) ?? Buffer.alloc(0);
    let refused = 0;
    for (let bit = 0; bit < pristine.length * 8; bit += 1) {
      const disk = await diskAfter(3);
      const bytes = Buffer.from(pristine);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      disk.poke(CURRENT, bytes);
      const opened = await open(disk).catch((error: unknown) => error);
      // A greater number of the format cannot be told from a newer program's file, and is refused untouched.
      if (opened instanceof Error) {
        expect(opened.message).toContain('file format');
        expect(disk.peek(CURRENT)).toEqual(bytes);
        refused += 1;
        continue;
      }
      const document = opened as StoredDocument<Numbered>;
      expect([bit, document.value.n]).toEqual([bit, 2]);
      expect(document.finding?.kind).toBe('restored');
    }
    // 1 becomes 3, 5 or 9 by the change of one bit.
    expect(refused).toBe(3);
  });

  test('a file cut anywhere is found, and the previous copy takes its place', async () => {
    const pristine = (await diskAfter(3)).peek(CURRENT) ?? Buffer.alloc(0);
    for (let length = 0; length < pristine.length; length += 1) {
      const disk = await diskAfter(3);
      disk.poke(CURRENT, pristine.subarray(0, length));
      const document = await open(disk);
      expect([length, document.value.n]).toEqual([length, 2]);
      expect(document.finding?.kind).toBe('restored');
    }
  });

  test('what was found is said, the broken file is kept aside, and the next start finds all well', async () => {
    const disk = await diskAfter(3);
    disk.poke(CURRENT, Buffer.alloc(0));
    const document = await open(disk);
    const aside = `${CURRENT}.broken-20261120T120000.000Z`;
    expect(document.finding).toEqual({
      kind: 'restored',
      path: CURRENT,
      keptAside: [aside],
      message:
        `${CURRENT} is empty; the copy kept before it (${PREVIOUS}) is used instead. ` +
        `What changed after it may be told again. Kept for a look: ${aside}.`,
    });
    expect(disk.peek(aside)?.length).toBe(0);
    disk.restart();
    const again = await open(disk);
    expect(again.value.n).toBe(2);
    expect(again.finding).toBeNull();
  });

  test('a missing file with a previous copy is restored', async () => {
    const disk = await diskAfter(3);
    await disk.unlink(CURRENT);
    const document = await open(disk);
    expect(document.value.n).toBe(2);
    expect(document.finding).toMatchObject({ kind: 'restored', keptAside: [] });
  });

  test('where both copies are broken it starts anew, loudly, and both are kept aside', async () => {
    const disk = await diskAfter(3);
    disk.poke(CURRENT, Buffer.from('{"n":3}\n'));
    disk.poke(PREVIOUS, (disk.peek(PREVIOUS) ?? Buffer.alloc(0)).subarray(0, -1));
    const document = await open(disk);
    expect(document.value).toBe(EMPTY);
    expect(document.finding).toMatchObject({ kind: 'corrupt', path: CURRENT });
    expect(document.finding?.message).toMatch(/without a first line .* cut short .* starts anew/);
    expect(document.finding?.keptAside).toHaveLength(2);
    expect(disk.peek(document.finding?.keptAside[0] ?? '')?.toString()).toBe('{"n":3}\n');
    await document.commit({ n: 9 });
    disk.restart();
    expect((await open(disk)).value.n).toBe(9);
    expect(await filesOf(disk)).toHaveLength(3);
  });

  test('where the disk cannot be read nothing is given up', async () => {
    const disk = await diskAfter(3);
    disk.fate = (operation) => (operation === 'read' ? { code: 'EIO' } : 'go');
    await expect(open(disk)).rejects.toMatchObject({ name: 'DiskError', code: 'EIO' });
    disk.fate = (operation, path) => (operation === 'read' && path === CURRENT ? { code: 'EIO' } : 'go');
    expect((await open(disk)).value.n).toBe(2);
    const denied = await diskAfter(3);
    denied.fate = (operation, path) => (operation === 'read' && path === CURRENT ? { code: 'EACCES' } : 'go');
    await expect(open(denied)).rejects.toThrow(`Cannot read ${CURRENT}: permission is denied (EACCES).`);
    denied.restart();
    expect((await open(denied)).value).toEqual(whole);
  });

  test('what cannot be restored on disk is used all the same, and the good copy is not lost to the next commit', async () => {
    for (let cut = 0; cut < 30; cut += 1) {
      const disk = await diskAfter(3);
      disk.poke(CURRENT, Buffer.from('junk'));
      disk.fate = (operation) => (operation === 'read' ? 'go' : { code: 'EROFS' });
      const document = await open(disk);
      expect(document.value.n).toBe(2);
      expect(document.finding?.message).toContain('the disk is read-only (EROFS)');
      disk.log.length = 0;
      disk.fate = () => (disk.log.length === cut ? 'cut-after' : 'go');
      const saved = await document.commit({ n: 4 }).then(
        () => true,
        (error: unknown) => !(error instanceof Killed),
      );
      disk.cutPower((options) => cut % options);
      expect([2, 4]).toContain((await open(disk)).value.n);
      if (saved) expect((await open(disk)).value.n).toBe(4);
    }
  });
});

describe('schemas', () => {
  const migrations: Migration[] = [
    { to: 3, change: (value) => ({ n: (value as Numbered).n * 10 }) },
    { to: 2, change: (value) => ({ n: (value as Numbered).n + 1 }) },
  ];

  test('an older one is brought up step by step, and the file as it was stays as the previous copy', async () => {
    const disk = await diskAfter(1);
    const before = disk.peek(CURRENT);
    const document = await open(disk, { schema: 3, migrations });
    expect(document.value.n).toBe(20);
    expect(document.finding).toMatchObject({ kind: 'migrated', path: CURRENT });
    expect(disk.peek(CURRENT)).toEqual(before);
    await document.commit({ n: 21 });
    expect(disk.peek(PREVIOUS)).toEqual(before);
    disk.restart();
    const again = await open(disk, { schema: 3, migrations });
    expect(again.value.n).toBe(21);
    expect(again.finding).toBeNull();
  });

  test('a newer one is refused, in either copy, and nothing is touched', async () => {
    for (const damage of [false, true]) {
      const disk = await diskAfter(2, { schema: 7 });
      if (damage) disk.poke(CURRENT, Buffer.from('junk'));
      const before = [disk.peek(CURRENT), disk.peek(PREVIOUS)];
      const refused = damage ? PREVIOUS : CURRENT;
      await expect(open(disk, { schema: 3, migrations })).rejects.toMatchObject({
        name: 'StateRefused',
        kind: 'newer-schema',
        path: refused,
        message:
          `${refused} was written by a newer Linewatch (schema 7; this one knows up to 3). ` +
          'It was left as it is: run the newer version, or give this one another state_dir.',
      });
      expect([disk.peek(CURRENT), disk.peek(PREVIOUS)]).toEqual(before);
      expect(disk.log.every((line) => line.startsWith('read '))).toBe(true);
    }
  });
});

describe('a disk in trouble', () => {
  test.each([
    ['ENOSPC', 'write', 'the disk is full'],
    ['ENOSPC', 'create', 'the disk is full'],
    ['EIO', 'sync', 'the disk reports an input/output error'],
    ['EROFS', 'unlink', 'the disk is read-only'],
    ['EIO', 'syncDirectory', 'the disk reports an input/output error'],
    ['ENOSPC', 'link', 'the disk is full'],
    ['EIO', 'rename', 'the disk reports an input/output error'],
  ])('%s at %s rejects the commit, keeps the last one, and the next commit mends it', async (code, failing, words) => {
    const disk = await diskAfter(2);
    const document = await open(disk);
    disk.fate = (operation) => (operation === failing ? { code } : 'go');
    const error: unknown = await document.commit({ n: 3 }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DiskError);
    expect(error).toMatchObject({ code, path: CURRENT, message: `Cannot save ${CURRENT}: ${words} (${code}).` });
    expect(document.value.n).toBe(2);
    disk.fate = () => 'go';
    await document.commit({ n: 4 });
    disk.cutPower(() => 0);
    expect((await open(disk)).value.n).toBe(4);
  });

  test('a full disk gets back the space of the half-written file', async () => {
    const disk = await diskAfter(2);
    const document = await open(disk);
    disk.fate = (operation) => (operation === 'write' ? { code: 'ENOSPC' } : 'go');
    await expect(document.commit({ n: 3 })).rejects.toThrow('the disk is full');
    expect(await filesOf(disk)).toEqual(['page.json', 'page.previous']);
  });

  test('a filesystem without hard links keeps the previous copy by writing it again', async () => {
    const disk = createSimulatedDisk();
    disk.fate = (operation) => (operation === 'link' ? { code: 'EPERM' } : 'go');
    const document = await open(disk);
    await document.commit({ n: 1 });
    await document.commit({ n: 2 });
    disk.cutPower(() => 0);
    disk.poke(CURRENT, Buffer.alloc(0));
    expect((await open(disk)).value.n).toBe(1);
  });

  test('a read-only disk can still be read', async () => {
    const disk = await diskAfter(2);
    disk.fate = (operation) => (operation === 'read' ? 'go' : { code: 'EROFS' });
    const document = await open(disk);
    expect(document.value.n).toBe(2);
    await expect(document.commit({ n: 3 })).rejects.toMatchObject({ code: 'EROFS' });
  });

  test('on a slow disk commits that wait give way to the newest, and each resolves when that is durable', async () => {
    const disk = await diskAfter(1);
    const document = await open(disk);
    const limiter = Promise.withResolvers<void>();
    let waitingFor = 'sync';
    const reached = Promise.withResolvers<void>();
    disk.fate = async (operation): Promise<Verdict> => {
      if (operation !== waitingFor) return 'go';
      waitingFor = '';
      reached.resolve();
      await limiter.promise;
      return 'go';
    };
    const seen: number[] = [];
    disk.log.length = 0;
    const commits = [2, 3, 4, 5].map((n) => document.commit({ n }).then(() => seen.push(document.value.n)));
    await reached.promise;
    expect(seen).toEqual([]);
    limiter.resolve();
    await Promise.all(commits);
    expect(seen).toEqual([2, 5, 5, 5]);
    expect(disk.log.filter((line) => line === `rename ${CURRENT}`)).toHaveLength(2);
  });

  test('a thousand documents are written a few at a time, and go on behind one that fails', async () => {
    const disk = createSimulatedDisk();
    const store = storeOn(disk);
    const shape = { schema: 1, migrations: [], empty: EMPTY };
    const names = Array.from({ length: 1_000 }, (_, index) => `account${index}`);
    const documents = await Promise.all(names.map((name) => store.document<Numbered>(toSourceDocument(name), shape)));
    let [written, begun, most, failing] = [0, 0, 0, 1];
    disk.fate = async (operation): Promise<Verdict> => {
      if (operation === 'write') {
        begun += 1;
        most = Math.max(most, begun - written);
        if (failing-- > 0) {
          written += 1;
          return { code: 'ENOSPC' };
        }
      }
      if (operation === 'rename') written += 1;
      return 'go';
    };
    const outcomes = await Promise.allSettled(documents.map((document, n) => document.commit({ n })));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(documents.map(({ value }) => value.n)).toEqual([0, ...names.map((_, n) => n).slice(1)]);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  test('a failed write fails only the commits it stood for', async () => {
    const disk = await diskAfter(1);
    const document = await open(disk);
    let left = 1;
    disk.fate = (operation) => (operation === 'write' && left-- > 0 ? { code: 'ENOSPC' } : 'go');
    const outcomes = await Promise.allSettled([2, 3, 4].map((n) => document.commit({ n })));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(document.value.n).toBe(4);
  });
});

describe('reading beside the daemon', () => {
  test('touches nothing, even where something is broken', async () => {
    const disk = await diskAfter(3);
    disk.poke(CURRENT, Buffer.from('junk'));
    const document = await open(disk, { access: 'read' });
    expect(document.value.n).toBe(2);
    expect(document.finding).toMatchObject({ kind: 'restored', keptAside: [] });
    disk.poke(PREVIOUS, Buffer.from('junk'));
    const broken = await open(disk, { access: 'read' });
    expect(broken.finding).toMatchObject({ kind: 'corrupt', keptAside: [] });
    expect(disk.log.every((line) => line.startsWith('read '))).toBe(true);
    await expect(document.commit({ n: 4 })).rejects.toThrow('opened for reading only');
    await expect(storeOn(disk, 'read').remove(toSourceDocument('page'))).rejects.toThrow('opened for reading only');
  });

  test('a state directory that does not exist is empty', async () => {
    const disk = createSimulatedDisk();
    expect((await open(disk, { access: 'read' })).value).toBe(EMPTY);
    expect(await storeOn(disk, 'read').list('source')).toEqual([]);
  });
});

describe('the documents of a store', () => {
  test('a removal cut short anywhere leaves the last commit or nothing', async () => {
    let cuts = 0;
    for (const end of ['cut-before', 'cut-after'] as const) {
      for (let at = 1; at < 12; at += 1) {
        for (let choices = 0; choices < 8; choices += 1) {
          const disk = await diskAfter(3);
          disk.fate = () => (disk.log.length === at ? end : 'go');
          const removed = await storeOn(disk)
            .remove(toSourceDocument('page'))
            .then(
              () => true,
              () => false,
            );
          if (!removed) cuts += 1;
          disk.cutPower(choosing(choices));
          expect(removed ? [0] : [0, 3]).toContain((await open(disk)).value.n);
        }
      }
    }
    expect(cuts).toBeGreaterThan(50);
  });
});

test('the names of receivers come back whatever they hold, and never leave their directory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 15 }), async (name) => {
      const disk = createSimulatedDisk();
      const store = storeOn(disk);
      await (
        await store.document<Numbered>(toReceiverDocument(name), { schema: 1, migrations: [], empty: EMPTY })
      ).commit({ n: 1 });
      expect(await store.list('receiver')).toEqual([name]);
      const [file] = await disk.list('/state/receivers');
      expect(file).toMatch(/^[^/\0.]+\.json$/);
    }),
  );
});

test('on the real disk files are for their owner alone and readable as JSON lines', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-store-'));
  try {
    const options = {
      directory: join(directory, 'deep', 'state'),
      disk: realDisk,
      access: 'write',
      now: () => NOON,
    } as const;
    const shape = { schema: 1, migrations: [], empty: EMPTY };
    const store = openFiles(options);
    const document = await store.document<Numbered>(toSourceDocument('page'), shape);
    for (let n = 1; n <= 3; n += 1) await document.commit({ n });
    await store.close();
    const sources = join(options.directory, 'sources');
    expect((await readdir(sources)).toSorted()).toEqual(['page.json', 'page.previous']);
    for (const path of [options.directory, sources]) expect((await stat(path)).mode & 0o777).toBe(0o700);
    for (const file of await readdir(sources)) {
      const path = join(sources, file);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await stat(path)).nlink).toBe(1);
    }
    const lines = (await readFile(join(sources, 'page.json'), 'utf8')).split('\n');
    expect(lines.slice(1)).toEqual(['{"n":3}', '']);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ linewatch_state: 1, schema: 1, bytes: 8 });
    const again = await openFiles(options).document<Numbered>(toSourceDocument('page'), shape);
    expect(again.value).toEqual({ n: 3 });
    expect(again.finding).toBeNull();
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('a directory removed under the running daemon costs one commit and is made again for the next', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-store-'));
  try {
    const store = openFiles({ directory, disk: realDisk, access: 'write', now: () => NOON });
    const document = await store.document<Numbered>(toSourceDocument('page'), {
      schema: 1,
      migrations: [],
      empty: EMPTY,
    });
    await document.commit({ n: 1 });
    await rm(join(directory, 'sources'), { recursive: true });
    await expect(document.commit({ n: 2 })).rejects.toMatchObject({ code: 'ENOENT' });
    await document.commit({ n: 3 });
    expect(await readFile(join(directory, 'sources', 'page.json'), 'utf8')).toContain('{"n":3}');
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('on the real disk a link in the place of a document is not followed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'linewatch-store-'));
  try {
    const shape = { schema: 1, migrations: [], empty: { said: '' } };
    const writing = openFiles({ directory, disk: realDisk, access: 'write', now: () => NOON });
    await (await writing.document(toSourceDocument('page'), shape)).commit({ said: 'once' });
    await writing.close();
    const path = join(directory, 'sources/page.json');
    await rename(path, join(directory, 'elsewhere'));
    await symlink(join(directory, 'elsewhere'), path);
    const reading = openFiles({ directory, disk: realDisk, access: 'read', now: () => NOON });
    await expect(reading.document(toSourceDocument('page'), shape)).rejects.toThrow(
      `Cannot read ${path}: it is a symbolic link, which is not followed (ELOOP).`,
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});
