/** A page with a year of notices behind it, read by a daemon in virtual time whose process can be killed at any request. */
import type { Weather } from '../laws/paper-reader.ts';
import { isObject } from '../../src/core/text/plain-object.ts';
import type { DetailAnswer, Notice } from '../../src/core/page/page-model.ts';
import type { PageReader, PastReader } from '../../src/pages/page-reader.ts';
import { readNotice, readNoticeDetail } from '../../src/provider/status-rows.ts';
import { createStatusWorld, type StatusWorld } from './status-world.ts';
import type { History } from '../../src/history/history-writer.ts';
import {
  paperDisk,
  paperReceiver,
  SECOND,
  START,
  startPaperDaemon,
  virtualClock,
  type PaperDaemon,
  type PaperDaemonOptions,
} from './paper-daemon.ts';
import { readHistory, recordedHistory } from './recorded-history.ts';

const PAGE = 25;
const DAY = 24 * 3600 * SECOND;

/** One request: noted, and perhaps the last of its process. Resolves with the answer. */
export type Asked = <T>(what: string, answer: () => T | Promise<T>) => Promise<T>;

/** A page that is read by another way than on paper: a new reader for each process. */
export interface OtherPage {
  world: StatusWorld;
  open(asked: Asked): PageReader;
  /** Its clock, which advances beside that of the daemon. */
  now(): number;
  pass(ms: number): Promise<void>;
}

/** The answer to the n-th request for something that is over; null for what the page itself says. */
export type Answering = (what: string, count: number) => DetailAnswer | null;

export interface NoticeImportOptions {
  count: number;
  months?: number;
  keepMs?: number;
  answering?: Answering;
  /** Weather of all other requests for the page. */
  weather?: () => Weather;
  /** The process dies at each request of such a number, and is started again a second later, as the unit does. */
  killEvery?: number;
  /** Default: the paper. */
  other?: (options: Parameters<typeof createStatusWorld>[0]) => OtherPage;
}

const COMPONENTS = [
  { id: 1, name: 'Trunks' },
  { id: 2, name: 'Voicemail' },
  { id: 3, name: 'SMS' },
];
/** As `RestartSec` of the unit. */
const RESTART_MS = SECOND;
/** Two clocks that advance in turn are this far apart at most. */
const STEP_MS = 20;

export async function openPast(options: NoticeImportOptions) {
  const { count, months = 12, keepMs = 400 * DAY, answering, weather, killEvery } = options;
  let clock = virtualClock(START);
  const worldOptions = { clock: { now: () => clock.now() }, components: COMPONENTS, past: count };
  const other = options.other?.(worldOptions) ?? null;
  const world = other?.world ?? createStatusWorld(worldOptions);
  // Notices that are over at the start stay as they are: composing all for each request would take most of the time.
  const before = world.documents();
  const disk = paperDisk();
  const people = paperReceiver('people', 'people');
  const programs = paperReceiver('programs', 'programs');
  const { directory } = recordedHistory(START);
  /** Virtual times of the requests, over all lives. */
  const requests: { at: number; what: string }[] = [];
  let life = 0;
  let dead = Promise.withResolvers<void>();
  let process: { paper: PaperDaemon; history: History };
  let noticeImport = { months, keepMs };

  async function asked<T>(own: number, what: string, answer: () => T | Promise<T>): Promise<T> {
    const gone = new Promise<never>(() => undefined);
    if (own !== life) return await gone;
    requests.push({ at: (other ?? clock).now(), what });
    if (killEvery !== undefined && requests.length % killEvery === 0) {
      dead.resolve();
      return await gone;
    }
    await Promise.resolve();
    return await answer();
  }

  function pastOf(own: number): PastReader {
    return {
      list: (timeline, page) =>
        asked(own, `${timeline} ${page}`, () => {
          const given = answering?.(`${timeline} ${page}`, requests.length) ?? null;
          if (given?.kind === 'missed') return given;
          const all = world.documents().notices.flatMap((row): Notice[] => {
            const notice = isObject(row) ? readNotice({ ...row }) : null;
            return notice?.timeline === timeline ? [notice] : [];
          });
          const notices = all.slice((page - 1) * PAGE, page * PAGE);
          return { kind: 'observed', value: { notices, hasNext: all.length > page * PAGE } };
        }),
      notice: (id) =>
        asked(own, id, () => {
          const given = answering?.(id, requests.length) ?? null;
          const detail = before.details.get(Number(id)) ?? world.documents().details.get(Number(id));
          const read = detail === undefined ? null : readNoticeDetail({ ...detail });
          return given ?? (read === null ? { kind: 'absent', status: 404 } : { kind: 'observed', value: read });
        }),
    };
  }

  async function start(): Promise<void> {
    life += 1;
    const own = life;
    const ownClock = clock;
    dead = Promise.withResolvers();
    const times = { now: () => clock.now(), monotonic: clock.monotonic, keepMs: () => noticeImport.keepMs };
    // Buffered records are written a moment later, as in the daemon.
    const later = (work: () => void, ms: number): void => {
      void ownClock.sleep(ms, new AbortController().signal).then(() => (own === life ? work() : undefined));
    };
    const { history } = recordedHistory(clock.now(), directory, { ...times, later });
    const given: PaperDaemonOptions = {
      source: world,
      receivers: [people, programs],
      clock,
      disk,
      ...(weather !== undefined && { weather }),
      wrapReader: (_, reader) =>
        other?.open((what, answer) => asked(own, what, answer)) ?? { ...reader, pastNotices: pastOf(own) },
      options: { history, noticeImport },
    };
    process = { history, paper: await startPaperDaemon(given) };
  }

  await start();
  return {
    world,
    people,
    programs,
    requests,
    directory,
    get daemon() {
      return process.paper.daemon;
    },
    clock: () => clock,
    /** How often the process died. */
    kills: () => (killEvery === undefined ? 0 : Math.floor(requests.length / killEvery)),
    async pass(ms: number): Promise<void> {
      const end = clock.now() + ms;
      while (clock.now() < end) {
        const step = other === null ? end - clock.now() : Math.min(STEP_MS, end - clock.now());
        const isAlive = await Promise.race([process.paper.pass(step).then(() => true), dead.promise.then(() => false)]);
        await other?.pass(isAlive ? step : RESTART_MS);
        if (isAlive) continue;
        clock = virtualClock(clock.now() + RESTART_MS);
        await start();
      }
    },
    /** Stopped as it should be, and started again with another configuration. */
    async restart(changed: Partial<typeof noticeImport> = {}): Promise<void> {
      await process.paper.stop();
      await process.history.close();
      noticeImport = { ...noticeImport, ...changed };
      clock = virtualClock(clock.now());
      await start();
    },
    async stop(): Promise<void> {
      await process.paper.stop();
      await process.history.close();
    },
    /** Record of the page in the history; call it when the daemon is stopped. */
    record: () => readHistory(directory, async (reader) => (await reader.pageRecords())[0] ?? null),
  };
}

export type PastOfAPage = Awaited<ReturnType<typeof openPast>>;
