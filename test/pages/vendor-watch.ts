/** A vendor's page on paper, watched by the daemon's own sweep and the core's own step. */
import { describePageStanding } from '../../src/core/view/standing/page-standing.ts';
import { openVendorPage } from '../../src/pages/vendor-client.ts';
import type { PageReader } from '../../src/pages/page-reader.ts';
import { loadPageType, type VendorTypeName } from '../../src/pages/types.ts';
import { ProviderError } from '../../src/provider/errors.ts';
import type { Http } from '../../src/provider/http.ts';
import { createLimiter } from '../../src/provider/limiter.ts';
import { JSON_FORM, toRefusal } from '../../src/provider/reply.ts';
import type { StatusWorld } from '../support/status-world.ts';
import { toVendorWorld, type VendorAnswer, type VendorWorld } from '../../src/simulator/vendors/vendor-world.ts';
import { VENDORS } from '../../src/simulator/vendors/vendors.ts';
import { paperWatch, type PaperOptions, type PaperWatch } from '../laws/paper-watch.ts';

export const MINUTE = 60_000;
export const BASE = 'https://status.example.test';
export const NOON = Date.parse('2026-03-02T12:00:00.000Z');

export interface VendorWatch {
  watch: PaperWatch;
  /** Paths asked, in order; forgotten before each sweep. */
  asked: string[];
  now(): number;
  /** Lets time pass without a look. */
  pass(ms: number): void;
  /** The process ends and another begins, which knows of the page what was written to disk. */
  restart(): void;
  /** Lets a minute pass, or as long as is said, and looks. */
  look(ms?: number): Promise<void>;
  /** Kinds of what was told to programs since the last call, with their subjects and ends. */
  news(): string[];
  /** Titles or headlines of messages to people since the last call. */
  messages(): { kinds: string[]; status: string; severity: string }[];
}

/** `ageMs`: for how long a cache has had it. */
export type PaperAnswer = ({ value: unknown } | VendorAnswer | { status: number }) & { ageMs?: number };

/** Answers as they would come over a wire, read in the form they are due. */
export function paperHttp(baseUrl: string, answerTo: (url: URL) => PaperAnswer | Promise<PaperAnswer>): Http {
  const base = new URL(baseUrl);
  return {
    json: (call, read) =>
      Promise.try(async () => {
        const { url, operation, form = JSON_FORM } = call;
        const ask = { operation, url, method: 'GET', headers: {} } as const;
        const answer = await answerTo(url);
        if ('status' in answer) {
          const reply = { status: answer.status, header: () => undefined, body: new Uint8Array() };
          throw answer.status === 0
            ? new ProviderError('timeout', ask, () => 'it did not answer in time')
            : toRefusal(reply, ask, { retryAfterMs: null, secrets: [] });
        }
        const body = 'body' in answer ? answer.body : JSON.stringify('value' in answer ? answer.value : answer.json);
        const type = 'body' in answer ? answer.type : 'application/json';
        const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
        const reply = {
          status: 200,
          header: (name: string) => (name === 'content-type' ? type : undefined),
          body: bytes,
        };
        form.refuseOthers(reply, ask);
        const { ageMs } = answer;
        const value = read(form.read(reply, ask).value, { url, base, secrets: [] });
        return { value, url, bytes: bytes.byteLength, ...(ageMs !== undefined && { ageMs }) };
      }),
    file: () => Promise.reject(new TypeError('a page has no files')),
    waitMs: () => 0,
    close: () => undefined,
  };
}

/** What the stand-in of a type answers of a world, and at which address. */
export function standIn(
  type: VendorTypeName,
  world: Pick<StatusWorld, 'documents'>,
  shown = (own: VendorWorld): VendorWorld => own,
): { base: string; answer(path: string): PaperAnswer | undefined } {
  const { pages, path: below } = VENDORS[type];
  return {
    base: `${BASE}${below}`,
    answer: (path) => pages(shown(toVendorWorld(world.documents()))).get(path),
  };
}

/** The same world after a migration: whatever has an id has another one. */
export function withOtherIds(world: VendorWorld): VendorWorld {
  const other = <T extends { id: string }>(each: T): T => ({ ...each, id: String(Number(each.id) + 70_000) });
  const parentOf = (id: string | null): string | null => (id === null ? null : String(Number(id) + 70_000));
  return {
    ...world,
    components: world.components.map((each) => ({ ...other(each), parentId: parentOf(each.parentId) })),
    notices: world.notices.map((each) => ({ ...other(each), hits: each.hits.map(other) })),
  };
}

/** `answer` has what is under a path now; what is under none is a 404. */
export async function vendorWatch(
  type: VendorTypeName,
  answer: (path: string, now: number) => PaperAnswer | undefined | Promise<PaperAnswer>,
  options: Partial<PaperOptions> & { base?: string; start?: number } = {},
): Promise<VendorWatch> {
  let clock = options.start ?? NOON;
  const asked: string[] = [];
  const baseUrl = options.base ?? BASE;
  const http = paperHttp(baseUrl, async ({ pathname, search }) => {
    const path = `${pathname}${search}`;
    asked.push(path);
    return (await answer(path, clock)) ?? { status: 404 };
  });
  const limiter = createLimiter({ requestsPerSecond: 5 });
  const loaded = await loadPageType(type);
  const opened = (): PageReader => openVendorPage(loaded, { baseUrl, limiter, http, wallClock: () => clock });
  let reader = opened();
  const lasting: PageReader = {
    document: (signal) => reader.document?.(signal) ?? Promise.reject(new TypeError('it is no document')),
    page: (signal) => reader.page(signal),
    components: (signal) => reader.components(signal),
    notices: (timeline, signal) => reader.notices(timeline, signal),
    notice: (id, signal) => reader.notice(id, signal),
    restMs: () => reader.restMs(),
  };
  const watch = paperWatch({ reader: lasting }, { missingAfterMs: 15 * MINUTE, ...options, now: () => clock });
  let [told, said] = [0, 0];
  return {
    watch,
    asked,
    now: () => clock,
    pass: (ms) => void (clock += ms),
    restart() {
      reader = opened();
      watch.restart();
    },
    async look(ms = MINUTE) {
      clock += ms;
      asked.length = 0;
      await watch.sweep();
    },
    news() {
      const fresh = watch.transitions.slice(told);
      told = watch.transitions.length;
      return fresh.map(({ kind, subject, to }) => `${kind} ${subject} ${String(to)}`);
    },
    messages() {
      const fresh = watch.people.slice(said);
      said = watch.people.length;
      return fresh.map(({ alert, changes }) => ({
        kinds: changes.map(({ transition }) => transition.kind),
        status: alert.resolvedAt === null ? 'open' : 'resolved',
        severity: alert.severity,
      }));
    },
  };
}

/** The page as people are shown it. */
export function standingOf({ watch }: VendorWatch): ReturnType<typeof describePageStanding>['source'] {
  return describePageStanding(watch.state).source;
}
