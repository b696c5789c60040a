/**
 * A disk in memory that forgets like a real one: what was written but never synced may survive a power cut whole, in
 * part or not at all, and every name in a directory may afterwards mean anything it has meant since that directory was
 * last synced, each name for itself. That is less than any journaling filesystem promises.
 */
import { basename, dirname } from 'node:path';
import type { Disk } from '../../src/store/disk.ts';

interface FileNode {
  kind: 'file';
  bytes: Buffer;
  /** How many of the bytes are safe. */
  synced: number;
}
interface DirectoryNode {
  kind: 'directory';
  entries: Map<string, Node>;
  /** Per name, what it has meant since the last sync, oldest first; null for nothing. The present is in `entries`. */
  past: Map<string, (Node | null)[]>;
}
type Node = FileNode | DirectoryNode;

/** Decides about one operation before it happens: go on, fail with a code, or stop the machine before or after it. */
export type Verdict = 'go' | 'cut-before' | 'cut-after' | { code: string };
export type Fate = (operation: string, path: string) => Verdict | Promise<Verdict>;

export interface SimulatedDisk extends Disk {
  /** The present judge of operations; tests replace it. */
  fate: Fate;
  /** Every operation tried since the last restart, as `name path`. */
  readonly log: string[];
  /** The machine after a power cut: `choose(n)` picks from 0 to n - 1 what became of everything unsynced. */
  cutPower(choose: (options: number) => number): void;
  /** The process was killed and is started again; the system's memory is intact. */
  restart(): void;
  /** For tests that damage or look at a file. */
  peek(path: string): Buffer | null;
  poke(path: string, bytes: Uint8Array): void;
}

export class Killed extends Error {}

export function createSimulatedDisk(): SimulatedDisk {
  const root = newDirectory();
  let dead = false;
  /** An operation of a process that was killed must not reach the disk when its turn comes later. */
  let life = 0;

  async function step<T>(operation: string, path: string, work: () => T, born = life): Promise<T> {
    if (dead || born !== life) throw new Killed();
    disk.log.push(`${operation} ${path}`);
    const verdict = await disk.fate(operation, path);
    if (dead || born !== life) throw new Killed();
    if (verdict === 'go') return work();
    if (typeof verdict === 'object') throw refusal(verdict.code, path);
    dead = true;
    if (verdict === 'cut-after') work();
    throw new Killed();
  }

  function find(path: string): Node | null {
    if (path === '/') return root;
    const parent = find(dirname(path));
    return parent?.kind === 'directory' ? (parent.entries.get(basename(path)) ?? null) : null;
  }
  function directory(path: string): DirectoryNode {
    const node = find(path);
    if (node === null) throw refusal('ENOENT', path);
    if (node.kind !== 'directory') throw refusal('ENOTDIR', path);
    return node;
  }
  function file(path: string): FileNode {
    const node = find(path);
    if (node === null) throw refusal('ENOENT', path);
    if (node.kind !== 'file') throw refusal('EISDIR', path);
    return node;
  }
  function setEntry(path: string, node: Node | null): void {
    const parent = directory(dirname(path));
    const name = basename(path);
    const past = parent.past.get(name) ?? [];
    past.push(parent.entries.get(name) ?? null);
    parent.past.set(name, past);
    if (node === null) parent.entries.delete(name);
    else parent.entries.set(name, node);
  }
  function mustBeFree(path: string): void {
    directory(dirname(path));
    if (find(path) !== null) throw refusal('EEXIST', path);
  }

  function forget(node: Node, choose: (options: number) => number): void {
    if (node.kind === 'file') {
      const unsynced = node.bytes.length - node.synced;
      if (unsynced > 0) {
        // Nothing of it, all of it, a part, or its length with other bytes in it.
        const fate = choose(4);
        if (fate === 0) node.bytes = node.bytes.subarray(0, node.synced);
        if (fate === 2) node.bytes = node.bytes.subarray(0, node.synced + choose(unsynced));
        if (fate === 3) node.bytes = Buffer.concat([node.bytes.subarray(0, node.synced), Buffer.alloc(unsynced)]);
      }
      node.synced = node.bytes.length;
      return;
    }
    for (const [name, past] of node.past) {
      const meanings = [...past, node.entries.get(name) ?? null];
      const kept = meanings[choose(meanings.length)] ?? null;
      if (kept === null) node.entries.delete(name);
      else node.entries.set(name, kept);
    }
    node.past.clear();
    for (const child of new Set(node.entries.values())) forget(child, choose);
  }

  const disk: SimulatedDisk = {
    fate: () => 'go',
    log: [],
    makeDirectory: (path) =>
      step('makeDirectory', path, () => {
        mustBeFree(path);
        setEntry(path, newDirectory());
      }),
    list: (path) => step('list', path, () => [...directory(path).entries.keys()]),
    read: (path) => step('read', path, () => Buffer.from(file(path).bytes)),
    create: (path) =>
      step('create', path, () => {
        mustBeFree(path);
        const node: FileNode = { kind: 'file', bytes: Buffer.alloc(0), synced: 0 };
        setEntry(path, node);
        const born = life;
        return {
          write: (bytes) => step('write', path, () => void (node.bytes = Buffer.concat([node.bytes, bytes])), born),
          sync: () => step('sync', path, () => void (node.synced = node.bytes.length), born),
          close: () => step('close', path, () => undefined, born),
        };
      }),
    link: (existing, added) =>
      step('link', added, () => {
        const node = file(existing);
        mustBeFree(added);
        setEntry(added, node);
      }),
    rename: (from, to) =>
      step('rename', to, () => {
        const node = file(from);
        if (find(to) === node) return;
        setEntry(to, node);
        setEntry(from, null);
      }),
    unlink: (path) =>
      step('unlink', path, () => {
        file(path);
        setEntry(path, null);
      }),
    syncDirectory: (path) => step('syncDirectory', path, () => directory(path).past.clear()),
    cutPower(choose) {
      forget(root, choose);
      disk.restart();
    },
    restart() {
      dead = false;
      life += 1;
      disk.fate = () => 'go';
      disk.log.length = 0;
    },
    peek(path) {
      const node = find(path);
      return node?.kind === 'file' ? Buffer.from(node.bytes) : null;
    },
    poke(path, bytes) {
      const node = file(path);
      // Another name of the same content keeps its own: damage to one copy on disk is damage to one copy.
      directory(dirname(path)).entries.set(basename(path), {
        ...node,
        bytes: Buffer.from(bytes),
        synced: bytes.length,
      });
    },
  };
  return disk;
}

/** Makes choices from the digits of a number, so that counting up goes through every combination. */
export function choosing(number: number): (options: number) => number {
  let left = number;
  return (options) => {
    const choice = left % options;
    left = (left - choice) / options;
    return choice;
  };
}

function newDirectory(): DirectoryNode {
  return { kind: 'directory', entries: new Map(), past: new Map() };
}

function refusal(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
