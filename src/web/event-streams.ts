/**
 * Pages that are looked at hear within a second that something has changed. What they are sent is drawn once and shared by
 * all who look alike; who does not take it waits for the next, and is dropped where he takes nothing.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Viewer } from './access/sign-in-link.ts';
import { readSendQueues, type Peer } from './send-queues.ts';
import { createRenderQueue } from './render-queue.ts';

/** Each holds a connection, and is sent whole pages. */
export const MOST_STREAMS = 600;
/** After a change, so that what belongs together is drawn together. */
const GATHERS_MS = 150;
/** What is drawn is drawn again at the earliest after this long; with many who look, less often. */
const APART_MS = 700;
/** What has not changed is drawn again, as it has grown older. */
const RENEWED_MS = 20_000;
/** A client that has acknowledged nothing of what it was sent for so long is no longer there. */
const GIVES_UP_MS = 30_000;
const CHECKED_EVERY_MS = 5_000;
/** Of these, one address has at most so many: a reverse proxy before 500 pages is one address. */
export const MOST_OF_A_PEER = 500;
/** With more streams than this, each has to show once that it is read. */
const TRUSTED = 150;
/** Comments, which no client shows: more than fits into the buffers on the way to a client that reads nothing. */
const HEARTBEAT = Buffer.from(`:${' '.repeat(1_022)}\n`.repeat(256));
/** After so many the watch has its turn. */
const AT_ONCE = 50;

export interface StreamsOptions {
  /** The whole page as this viewer sees it. */
  draw(viewer: Viewer): Promise<string>;
  /** Whether this viewer would be let in now. Default: always. */
  isCurrent?(viewer: Viewer): boolean;
  failed(error: unknown): void;
  clock?: StreamsClock;
  /** How much the kernel has of what was written to a connection. */
  sendQueues?: typeof readSendQueues;
}

export interface StreamsClock {
  /** Milliseconds on a clock that only goes forward. */
  monotonic(): number;
  /** Calls back after so many milliseconds, unless nothing else keeps the process going; what comes back calls it off. */
  after(ms: number, work: () => void): () => void;
}

export interface Streams {
  readonly count: number;
  /** Whether there is room for one more of this address. */
  hasRoom(peer: string | undefined): boolean;
  /** False where there are too many, or too many of its address. `wantsPage` is false for who only wants to hear that something has changed. */
  open(outgoing: Outgoing, viewer: Viewer, wantsPage: boolean): boolean;
  /** Something has changed. */
  changed(): void;
  close(): void;
}

/** As much of an answer as is needed to keep somebody posted. */
type Outgoing = Pick<
  ServerResponse,
  'write' | 'once' | 'on' | 'end' | 'destroy' | 'destroyed' | 'writableNeedDrain'
> & {
  socket: (Pick<Socket, 'setTimeout' | 'bytesWritten' | 'writableLength'> & Peer) | null;
};

interface Stream {
  outgoing: Outgoing;
  viewer: Viewer;
  wantsPage: boolean;
  peer: string | undefined;
  /** Bytes that were acknowledged, and when there was something new among them, or nothing to acknowledge. */
  taken: number;
  takenAt: number;
  /** It was left out of the last drawing, as it had not taken the one before. */
  hasMissed: boolean;
  /** It was sent a heartbeat. */
  isTried: boolean;
}

const SYSTEM: StreamsClock = {
  monotonic: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** `draw` is called once for all that look alike, at most once in `APART_MS`, and never while nobody looks. */
export function createStreams(options: StreamsOptions): Streams {
  const { draw, isCurrent = () => true, failed, clock = SYSTEM, sendQueues = readSendQueues } = options;
  const streams = new Set<Stream>();
  const turns = createRenderQueue();
  let callOff: (() => void) | null = null;
  let dueAt = 0;
  let drawnAt = 0;
  let isDrawing = false;
  let callOffCheck: (() => void) | null = null;

  function hasRoom(peer: string | undefined): boolean {
    const ofPeer = [...streams].filter((stream) => stream.peer === peer).length;
    return streams.size < MOST_STREAMS && ofPeer < MOST_OF_A_PEER;
  }

  function planCheck(): void {
    if (streams.size > 0) callOffCheck ??= clock.after(CHECKED_EVERY_MS, () => void check());
  }

  /** Takes the places of clients that acknowledge nothing. */
  async function check(): Promise<void> {
    callOffCheck = null;
    try {
      const queued = await sendQueues();
      const now = clock.monotonic();
      for (const stream of streams) {
        const { outgoing } = stream;
        if (outgoing.socket === null) continue;
        noteTaken(stream, outgoing.socket, queued(outgoing.socket), now);
        if (now - stream.takenAt >= GIVES_UP_MS) outgoing.destroy();
        if (streams.size > TRUSTED) sendHeartbeat(stream);
      }
    } catch (error) {
      failed(error);
    }
    planCheck();
  }

  function schedule(at: number): void {
    if (streams.size === 0 || (callOff !== null && dueAt <= at)) return;
    callOff?.();
    dueAt = at;
    callOff = clock.after(Math.max(0, at - clock.monotonic()), () => void flush());
  }

  async function flush(): Promise<void> {
    callOff = null;
    if (isDrawing) return schedule(clock.monotonic() + GATHERS_MS);
    isDrawing = true;
    drawnAt = clock.monotonic();
    try {
      await send([...streams]);
    } catch (error) {
      failed(error);
    }
    isDrawing = false;
    schedule(drawnAt + RENEWED_MS);
  }

  async function send(to: readonly Stream[]): Promise<void> {
    const bodies = new Map<string, Promise<Buffer>>();
    for (const [index, stream] of to.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      // It asks anew, and then signs in again.
      if (!isCurrent(stream.viewer)) stream.outgoing.destroy();
      if (stream.outgoing.destroyed) continue;
      stream.hasMissed = stream.outgoing.writableNeedDrain;
      if (stream.hasMissed) continue;
      const body = await bodyFor(stream, bodies);
      if (!stream.outgoing.destroyed) stream.outgoing.write(body);
    }
  }

  function bodyFor({ viewer, wantsPage }: Stream, bodies: Map<string, Promise<Buffer>>): Promise<Buffer> {
    const key = wantsPage ? JSON.stringify(viewer) : '';
    const known = bodies.get(key) ?? (wantsPage ? pageEvent(viewer) : Promise.resolve(CHANGED));
    bodies.set(key, known);
    return known;
  }

  async function pageEvent(viewer: Viewer): Promise<Buffer> {
    await turns.take();
    return Buffer.from(`event: page\ndata: ${JSON.stringify(await draw(viewer))}\n\n`);
  }

  return {
    get count() {
      return streams.size;
    },
    hasRoom,
    open(outgoing, viewer, wantsPage) {
      const peer = outgoing.socket?.remoteAddress;
      if (!hasRoom(peer)) return false;
      const takenAt = clock.monotonic();
      const stream: Stream = { outgoing, viewer, wantsPage, peer, taken: 0, takenAt, hasMissed: false, isTried: false };
      // A stream is quiet for long; who is no longer there shows when he is sent something.
      outgoing.socket?.setTimeout(0);
      outgoing.write('retry: 2000\n\n');
      streams.add(stream);
      outgoing.once('close', () => streams.delete(stream));
      outgoing.on('drain', () => {
        if (stream.hasMissed) schedule(clock.monotonic() + GATHERS_MS);
      });
      // What has changed since the page was loaded comes with the next drawing.
      schedule(clock.monotonic() + GATHERS_MS);
      planCheck();
      return true;
    },
    changed() {
      const apart = APART_MS + Math.min(300, streams.size);
      schedule(Math.max(clock.monotonic() + GATHERS_MS, drawnAt + apart));
    },
    close() {
      callOff?.();
      callOffCheck?.();
      for (const { outgoing } of streams) outgoing.end();
    },
  };
}

/** Once. Changes `stream`. */
function sendHeartbeat(stream: Stream): void {
  if (stream.isTried || stream.outgoing.writableNeedDrain) return;
  stream.isTried = true;
  stream.outgoing.write(HEARTBEAT);
}

/** Changes `stream`. */
function noteTaken(
  stream: Stream,
  { writableLength, bytesWritten }: Pick<Socket, 'writableLength' | 'bytesWritten'>,
  queued: number,
  now: number,
): void {
  const unsent = writableLength + queued;
  const taken = bytesWritten - unsent;
  if (unsent === 0 || taken > stream.taken) [stream.taken, stream.takenAt] = [taken, now];
}

const CHANGED = Buffer.from('event: changed\ndata: {}\n\n');
