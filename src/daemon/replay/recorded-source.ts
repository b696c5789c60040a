/** A recorded history in place of the provider: serves the responses of each step as if they had just arrived. */
import { createWatchClient } from '../../provider/account-requests.ts';
import { HOUR } from '../../core/text/duration.ts';
import type { Http, HttpCall, RecordedAnswer } from '../../provider/http.ts';
import { createRecordedHttp } from '../../provider/recorded.ts';
import { createStatusClient } from '../../provider/status-client.ts';
import type { Registered } from '../../core/account/account-model.ts';
import type { Listing } from '../../core/observation/listing.ts';
import type { Clock } from '../common/clock.ts';
import { createAccountReader, type AccountReader } from '../common/account-reader.ts';
import { createCallReader, type CallReader } from '../calls/call-reader.ts';
import { createPageReader } from '../../pages/provider/reader.ts';
import type { PageReader } from '../../pages/page-reader.ts';

/** Sweeps after a step that can still have a result: persistence is confirmed after three. */
const SWEEPS_A_STEP = 4;
/** Longer than any configured delay for absent notices. */
const ABSENCE_SEEN_MS = HOUR;

/** Operations that a watch of an account requests, by the part of a step with their responses. */
export const ACCOUNT_OPERATIONS = {
  registrations: 'registrations.list',
  extensions: 'extensions.list',
  toggles: 'action-toggles.list',
} as const;

/** Operations for reports of calls, by the last part of their path. */
export const REPORT_OPERATIONS = {
  'missed-calls': 'reports.missed-calls.list',
  'answered-extensions': 'reports.answered-extensions.list',
  'incoming-calls-external-numbers': 'reports.incoming-calls-external-numbers.list',
  'outgoing-calls': 'reports.outgoing-calls.list',
  outgoing: 'billing.calls.outgoing.list',
  collection: 'billing.calls.collection.list',
  'agent-status': 'skillsets.agent-status.list',
  voicemail: 'voicemail.list',
} as const;

/** Steps are ordered by time; a step omits responses that did not change. */
export interface RecordedStep {
  /** Epoch milliseconds. */
  at: number;
  /** Name of the account; null for a page. */
  account: string | null;
  /** Name of the page; default: the history's own. */
  page?: string | null;
  /** For a page by path below its origin, for an account by operation id. */
  answers: ReadonlyMap<string, RecordedAnswer>;
}

/** The full content of a page, in rows of its interface. */
export interface ShownPage {
  page: object;
  components: readonly object[];
  notices: readonly object[];
  /** By notice id; a missing one answers 404. */
  details: ReadonlyMap<number | string, object>;
}

/** Responses of a page with this content, whose content was `before` until then. */
export function listAnswers(shown: ShownPage, before: ShownPage | null): Map<string, RecordedAnswer> {
  const { page, components, notices, details } = shown;
  const links = { notices: { count: notices.length } };
  const gone = [...(before?.details.keys() ?? [])].filter((id) => !details.has(id));
  return new Map<string, RecordedAnswer>([
    ['/api/v1/status', { value: { page: { ...page, links } } }],
    ['/api/v1/components', { value: { components, meta: {} } }],
    ['/api/v1/notices', { value: { notices, meta: {} } }],
    ...[...details].map(([id, notice]) => [`/api/v1/notices/${id}`, { value: { notice } }] as const),
    ...gone.map((id) => [`/api/v1/notices/${id}`, { error: 404 }] as const),
  ]);
}

/**
 * Reads a page in virtual time. Nothing changes between two steps, so after a few complete sweeps the next one waits
 * for the next step, and after the last step for ever: a quiet week costs nothing. Null for a history without the page.
 * `baseUrl` is its recorded address; `vendor` opens a page of another vendor; `name` is null for the history's own
 * page.
 */
export function createRecordedPageReader(
  steps: readonly RecordedStep[],
  baseUrl: string,
  clock: Pick<Clock, 'now'>,
  vendor: ((http: Http) => PageReader) | null = null,
  name: string | null = null,
): PageReader | null {
  const all = steps.filter(({ account, page = null }) => account === null && page === name);
  const [first] = all;
  if (first === undefined) return null;
  const now = (): number => Math.max(clock.now(), first.at);
  const courses = coursesOf(all);
  let place = 0;
  let sweepsOfStep = 0;
  let stepSince = first.at;

  /**
   * A missing response is a 404, as for a deleted notice; a page of another vendor was not requested, which means
   * nothing.
   */
  function answerTo({ url: { pathname, search } }: HttpCall): RecordedAnswer {
    const course = courses.get(`${pathname}${search}`) ?? courses.get(pathname);
    if (course === undefined || now() < course.firstAt) return { error: vendor === null ? 404 : 503 };
    const answer = course.at(now());
    // After an error the usual pace goes on, as the duration of a failure matters as well.
    if ('error' in answer && answer.error !== 404 && answer.error !== 410) sweepsOfStep = 0;
    return answer;
  }

  const http = createRecordedHttp(baseUrl, answerTo);
  const reader = vendor === null ? createPageReader(createStatusClient({ baseUrl, http })) : vendor(http);

  function beginSweep(): void {
    for (let next = all[place + 1]; next !== undefined && next.at <= now(); next = all[place + 1]) {
      place += 1;
      sweepsOfStep = 0;
      stepSince = next.at;
    }
    sweepsOfStep += 1;
  }

  /** A notice absent from another vendor's page is reported only after it has stayed absent for a while. */
  const isSeen = (): boolean =>
    sweepsOfStep >= SWEEPS_A_STEP && (vendor === null || clock.now() - stepSince >= ABSENCE_SEEN_MS);

  const { document } = reader;
  return {
    ...reader,
    // Every sweep requests one of them first.
    ...(document === undefined
      ? { page: (signal) => (beginSweep(), reader.page(signal)) }
      : { document: (signal) => (beginSweep(), document(signal)) }),
    restMs: () => (isSeen() ? (all[place + 1]?.at ?? Infinity) - clock.now() : 0),
  };
}

/** Missing means empty: an account without toggles, or a list of extensions that the recording omits. */
const NOTHING: RecordedAnswer = { value: [] };

/**
 * Reads an account in virtual time. Unlike a page it is swept at every interval, as absence must be seen to persist.
 */
export function createRecordedAccountReader(
  steps: readonly RecordedStep[],
  name: string,
  clock: Pick<Clock, 'now'>,
): { reader: AccountReader; callReader: CallReader } {
  const courses = coursesOf(steps.filter(({ account }) => account === name));
  const answerTo = (operation: string): RecordedAnswer => courses.get(operation)?.at(clock.now()) ?? NOTHING;
  const baseUrl = `https://${name}.invalid`;
  const http = createRecordedHttp(baseUrl, ({ operation }) => answerTo(operation));
  const client = createWatchClient({
    baseUrl,
    apiKey: 'none',
    retry: { retries: 0 },
    http,
  });
  const reader = createAccountReader(client);
  /** An unchanged response is requested sixty times in a recorded hour. */
  const known = new Map<string, { answer: RecordedAnswer; read: Promise<unknown> }>();
  function once<T>(part: keyof typeof ACCOUNT_OPERATIONS, read: () => Promise<T>): Promise<T> {
    const answer = answerTo(ACCOUNT_OPERATIONS[part]);
    const before = known.get(part);
    if (before?.answer === answer) return before.read as Promise<T>;
    const reading = read();
    known.set(part, { answer, read: reading });
    return reading;
  }
  /** After the end of a recording its last list repeats: that does not count as a frozen list. */
  let last: Promise<Listing<Registered>> | null = null;
  async function registrations(signal: AbortSignal): Promise<Listing<Registered>> {
    const reading = once('registrations', () => reader.registrations(signal));
    const isRepeated = reading === last;
    last = reading;
    const isOver = courses.get(ACCOUNT_OPERATIONS.registrations)?.isOver(clock.now()) ?? true;
    return isRepeated && isOver ? undated(await reading) : await reading;
  }
  return {
    reader: {
      registrations,
      extensions: (signal) => once('extensions', () => reader.extensions(signal)),
      toggles: (signal) => once('toggles', () => reader.toggles(signal)),
      restMs: reader.restMs,
    },
    callReader: createCallReader(client),
  };
}

function undated(listing: Listing<Registered>): Listing<Registered> {
  if (listing.kind === 'missed') return listing;
  const items = listing.items.map(({ extension, contacts }): Registered => ({
    extension,
    contacts: contacts.map((contact) => {
      const { until: _, ...rest } = contact;
      return rest;
    }),
  }));
  return { ...listing, items };
}

interface Course {
  firstAt: number;
  /** True if no later response was recorded. */
  isOver(now: number): boolean;
  /** The latest response at or before this time; before the first one, the first. Time must only advance. */
  at(now: number): RecordedAnswer;
}

/** The responses for each key. */
function coursesOf(steps: readonly RecordedStep[]): ReadonlyMap<string, Course> {
  const dated = steps.flatMap(({ at, answers }) => [...answers].map(([key, answer]) => ({ key, at, answer })));
  const courses = new Map<string, Course>();
  for (const [key, all] of Map.groupBy(dated, (one) => one.key)) {
    const [first] = all;
    if (first === undefined) continue;
    let place = 0;
    const lastAt = all.at(-1)?.at ?? first.at;
    courses.set(key, {
      firstAt: first.at,
      isOver: (now) => now >= lastAt,
      at(now) {
        for (let next = all[place + 1]; next !== undefined && next.at <= now; next = all[place + 1]) place += 1;
        return (all[place] ?? first).answer;
      },
    });
  }
  return courses;
}
