/**
 * Pages that are looked at hear within a second that something has changed. What they are sent is drawn once and shared by
 * all who look alike; who does not take it waits for the next, and is dropped where he takes nothing.
 */
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Viewer } from './frame.ts';

export const MOST_STREAMS = 600;
/** After a change, so that what belongs together is drawn together. */
const GATHERS_MS = 150;
/** What is drawn is drawn again at the earliest after this long; with many who look, less often. */
const APART_MS = 700;
/** What has not changed is drawn again, as it has grown older. */
const RENEWED_MS = 20_000;
/** Who has taken nothing for so long is no longer there. */
const GIVES_UP_MS = 30_000;
const AT_ONCE = 50;

export interface StreamsOptions {
  /** The whole page as this viewer sees it. */
  draw(viewer: Viewer): Promise<string>;
  failed(error: unknown): void;
}

export interface Streams {
  readonly count: number;
  /** False where there are too many. `wantsPage` is false for who only wants to hear that something has changed. */
  open(outgoing: ServerResponse, viewer: Viewer, wantsPage: boolean): boolean;
  /** Something has changed. */
  changed(): void;
  close(): void;
}

interface Stream {
  outgoing: ServerResponse;
  viewer: Viewer;
  wantsPage: boolean;
  /** Since when it has not taken what it was sent; null where it has. */
  behindSince: number | null;
}

export function createStreams({ draw, failed }: StreamsOptions): Streams {
  const streams = new Set<Stream>();
  let timer: NodeJS.Timeout | null = null;
  let dueAt = 0;
  let drawnAt = 0;
  let isDrawing = false;

  function schedule(at: number): void {
    if (streams.size === 0 || (timer !== null && dueAt <= at)) return;
    if (timer !== null) clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => void flush(), Math.max(0, at - performance.now()));
    timer.unref();
  }

  async function flush(): Promise<void> {
    timer = null;
    if (isDrawing) return schedule(performance.now() + GATHERS_MS);
    isDrawing = true;
    drawnAt = performance.now();
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
      if (isBehind(stream)) continue;
      stream.outgoing.write(await bodyFor(stream, bodies));
    }
  }

  function isBehind(stream: Stream): boolean {
    const { outgoing } = stream;
    if (outgoing.destroyed) return true;
    if (!outgoing.writableNeedDrain) {
      stream.behindSince = null;
      return false;
    }
    stream.behindSince ??= performance.now();
    if (performance.now() - stream.behindSince > GIVES_UP_MS) outgoing.destroy();
    return true;
  }

  function bodyFor({ viewer, wantsPage }: Stream, bodies: Map<string, Promise<Buffer>>): Promise<Buffer> {
    const key = wantsPage ? JSON.stringify(viewer) : '';
    const known = bodies.get(key) ?? (wantsPage ? pageEvent(viewer) : Promise.resolve(CHANGED));
    bodies.set(key, known);
    return known;
  }

  async function pageEvent(viewer: Viewer): Promise<Buffer> {
    return Buffer.from(`event: page\ndata: ${JSON.stringify(await draw(viewer))}\n\n`);
  }

  return {
    get count() {
      return streams.size;
    },
    open(outgoing, viewer, wantsPage) {
      if (streams.size >= MOST_STREAMS) return false;
      const stream: Stream = { outgoing, viewer, wantsPage, behindSince: null };
      // A stream is quiet for long; who is no longer there shows when he is sent something.
      outgoing.socket?.setTimeout(0);
      outgoing.write('retry: 2000\n\n');
      streams.add(stream);
      outgoing.once('close', () => streams.delete(stream));
      outgoing.on('drain', () => {
        if (stream.behindSince !== null) schedule(performance.now() + GATHERS_MS);
      });
      // What has changed since the page was loaded comes with the next drawing.
      schedule(performance.now() + GATHERS_MS);
      return true;
    },
    changed() {
      const apart = APART_MS + Math.min(300, streams.size);
      schedule(Math.max(performance.now() + GATHERS_MS, drawnAt + apart));
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      for (const { outgoing } of streams) outgoing.end();
    },
  };
}

const CHANGED = Buffer.from('event: changed\ndata: {}\n\n');
