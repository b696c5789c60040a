/**
 * Notifies open pages of changes within a second. Each rendering is shared by all equal viewers. A slow client skips
 * renderings, and is closed after it has acknowledged nothing for 30 s.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Viewer } from './access/sign-in-link.ts';
import { readSendQueues, type Peer } from './send-queues.ts';
import { createRenderQueue } from './render-queue.ts';

/** Each holds a connection and receives full pages. */
export const MOST_STREAMS = 600;
/** Delay after a change, so that related changes are rendered together. */
const GATHERS_MS = 150;
/** Shortest interval between two renderings; longer with many viewers. */
const APART_MS = 700;
/** Unchanged pages are rendered again, as their times grow older. */
const RENEWED_MS = 20_000;
/** A client that has acknowledged nothing for this long is gone. */
const GIVES_UP_MS = 30_000;
const CHECKED_EVERY_MS = 5_000;
/** Limit for one address: a reverse proxy in front of 500 pages is one address. */
export const MOST_OF_A_PEER = 500;
/** Above this number, each stream has to prove once that it is read. */
const TRUSTED = 150;
/** Comments, which no client shows: more than the buffers of a client hold that reads nothing. */
const HEARTBEAT = Buffer.from(`:${' '.repeat(1_022)}\n`.repeat(256));
/** After this many the loop yields to sweeps. */
const AT_ONCE = 50;

export interface StreamsOptions {
  /** Renders the full page for this viewer. */
  render(viewer: Viewer): Promise<string>;
  /** True if this viewer still has access. Default: always. */
  isCurrent?(viewer: Viewer): boolean;
  failed(error: unknown): void;
  clock?: StreamsClock;
  /** Bytes of each connection that the kernel still has to send. */
  sendQueues?: typeof readSendQueues;
}

export interface StreamsClock {
  /** Milliseconds of a monotonic clock. */
  monotonic(): number;
  /** Runs `work` after this time, without keeping the process alive; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export interface Streams {
  readonly count: number;
  /** True if one more stream of this address is allowed. */
  hasRoom(peer: string | undefined): boolean;
  /**
   * False if there are too many streams, in all or of its address. `wantsPage` is false for clients that need only the
   * notification.
   */
  open(outgoing: OutgoingResponse, viewer: Viewer, wantsPage: boolean): boolean;
  /** Called after a change. */
  changed(): void;
  close(): void;
}

/** Fields of a response that a stream needs. */
type OutgoingResponse = Pick<
  ServerResponse,
  'write' | 'once' | 'on' | 'end' | 'destroy' | 'destroyed' | 'writableNeedDrain'
> & {
  socket: (Pick<Socket, 'setTimeout' | 'bytesWritten' | 'writableLength'> & Peer) | null;
};

interface Stream {
  outgoing: OutgoingResponse;
  viewer: Viewer;
  wantsPage: boolean;
  peer: string | undefined;
  /** Acknowledged bytes, and the time of the last progress, or of the last moment with nothing to acknowledge. */
  taken: number;
  takenAt: number;
  /** It was left out of the last rendering, as it had not received the one before. */
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

/** `render` is called once for all equal viewers, at most once in `APART_MS`, and never without viewers. */
export function createStreams(options: StreamsOptions): Streams {
  const { render, isCurrent = () => true, failed, clock = SYSTEM, sendQueues = readSendQueues } = options;
  const streams = new Set<Stream>();
  const turns = createRenderQueue();
  let callOff: (() => void) | null = null;
  let dueAt = 0;
  let renderedAt = 0;
  let isRendering = false;
  let callOffCheck: (() => void) | null = null;

  function hasRoom(peer: string | undefined): boolean {
    const ofPeer = [...streams].filter((stream) => stream.peer === peer).length;
    return streams.size < MOST_STREAMS && ofPeer < MOST_OF_A_PEER;
  }

  function planCheck(): void {
    if (streams.size > 0) callOffCheck ??= clock.after(CHECKED_EVERY_MS, () => void check());
  }

  /** Frees the places of clients that acknowledge nothing. */
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
    if (isRendering) return schedule(clock.monotonic() + GATHERS_MS);
    isRendering = true;
    renderedAt = clock.monotonic();
    try {
      await send([...streams]);
    } catch (error) {
      failed(error);
    }
    isRendering = false;
    schedule(renderedAt + RENEWED_MS);
  }

  async function send(to: readonly Stream[]): Promise<void> {
    const bodies = new Map<string, Promise<Buffer>>();
    for (const [index, stream] of to.entries()) {
      if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
      // The client reconnects, and then signs in again.
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
    return Buffer.from(`event: page\ndata: ${JSON.stringify(await render(viewer))}\n\n`);
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
      // A stream is quiet for long; a dead client is detected when something is sent.
      outgoing.socket?.setTimeout(0);
      outgoing.write('retry: 2000\n\n');
      streams.add(stream);
      outgoing.once('close', () => streams.delete(stream));
      outgoing.on('drain', () => {
        if (stream.hasMissed) schedule(clock.monotonic() + GATHERS_MS);
      });
      // Changes since the page was loaded come with the next rendering.
      schedule(clock.monotonic() + GATHERS_MS);
      planCheck();
      return true;
    },
    changed() {
      const apart = APART_MS + Math.min(300, streams.size);
      schedule(Math.max(clock.monotonic() + GATHERS_MS, renderedAt + apart));
    },
    close() {
      callOff?.();
      callOffCheck?.();
      for (const { outgoing } of streams) outgoing.end();
    },
  };
}

/** Sent once. Modifies `stream`. */
function sendHeartbeat(stream: Stream): void {
  if (stream.isTried || stream.outgoing.writableNeedDrain) return;
  stream.isTried = true;
  stream.outgoing.write(HEARTBEAT);
}

/** Modifies `stream`. */
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
