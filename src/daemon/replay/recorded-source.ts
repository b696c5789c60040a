/** A recorded history in the place of the provider: what it answered at each step, read as if it had just come. */
import { createWatchClient } from '../../provider/account-requests.ts';
import { HOUR } from '../../core/text/duration.ts';
import type { Http, HttpCall, RecordedAnswer } from '../../provider/http.ts';
import { createRecordedHttp } from '../../provider/recorded.ts';
import { createStatusClient } from '../../provider/status-client.ts';
import type { Registered } from '../../core/account/account-model.ts';
import type { Listing } from '../../core/observation/listing.ts';
import type { Clock } from '../common/clock.ts';
import { accountReader, type AccountReader } from '../common/account-reader.ts';
import { createCallReader, type CallReader } from '../calls/call-reader.ts';
import { createPageReader } from '../../pages/provider/reader.ts';
import type { PageReader } from '../../pages/page-reader.ts';

/** Sweeps after a step that can still tell something: what must persist is believed after three. */
const SWEEPS_A_STEP = 4;
/** Longer than anybody lets what is absent wait. */
const ABSENCE_SEEN_MS = HOUR;

/** The operations a watch asks of an account, by the part of a step that holds their answers. */
export const ACCOUNT_OPERATIONS = {
  registrations: 'registrations.list',
  extensions: 'extensions.list',
  toggles: 'action-toggles.list',
} as const;

/** Operations that calls are read with, by the last part of their path. */
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

/** Steps stand in the order of their times; what a step does not hold is as it was before. */
export interface RecordedStep {
  /** Epoch milliseconds. */
  at: number;
  /** The account that answered; null for a page. */
  account: string | null;
  /** The page that answered, by name; default: the history's own. */
  page?: string | null;
  /** Of a page by the address below its origin, of an account by the id of the operation. */
  answers: ReadonlyMap<string, RecordedAnswer>;
}

/** Everything a page shows, in the rows of its interface. */
export interface ShownPage {
  page: object;
  components: readonly object[];
  notices: readonly object[];
  /** By notice id; one that is missing answers 404. */
  details: ReadonlyMap<number | string, object>;
}

/** What a page answers that shows this, where it showed `before` until then. */
export function answersOf(shown: ShownPage, before: ShownPage | null): Map<string, RecordedAnswer> {
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
 * A page in time. Nothing changes between two steps, so after a few sweeps in which everything could be read the next
 * one is put off until the next step, and for good after the last: a week of silence costs nothing. Null for a history
 * that never shows the page. `baseUrl` is the address it was read at; `vendor` opens that of another vendor; `name` is
 * null for the history's own page.
 */
export function recordedPageReader(
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
   * Where nothing was recorded there was nothing, as under the number of a notice that is gone; of another vendor's page
   * it was not asked for, and says nothing.
   */
  function answerTo({ url: { pathname, search } }: HttpCall): RecordedAnswer {
    const course = courses.get(`${pathname}${search}`) ?? courses.get(pathname);
    if (course === undefined || now() < course.firstAt) return { error: vendor === null ? 404 : 503 };
    const answer = course.at(now());
    // What could not be read is asked for at the usual pace: how long that lasts is news as well.
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

  /** What has left another vendor's page has to stay away for a while before that is told. */
  const isSeen = (): boolean =>
    sweepsOfStep >= SWEEPS_A_STEP && (vendor === null || clock.now() - stepSince >= ABSENCE_SEEN_MS);

  const { document } = reader;
  return {
    ...reader,
    // One of them is asked for first in every sweep.
    ...(document === undefined
      ? { page: (signal) => (beginSweep(), reader.page(signal)) }
      : { document: (signal) => (beginSweep(), document(signal)) }),
    restMs: () => (isSeen() ? (all[place + 1]?.at ?? Infinity) - clock.now() : 0),
  };
}

/** What was never recorded was empty: an account without toggles, a list of extensions that nobody wrote down. */
const NOTHING: RecordedAnswer = { value: [] };

/** An account in time: unlike a page it is swept at every interval, for what is missing must be seen to stay so. */
export function recordedAccountReader(
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
  const reader = accountReader(client);
  /** What stands in a recording for an hour is asked for sixty times. */
  const known = new Map<string, { answer: RecordedAnswer; read: Promise<unknown> }>();
  function once<T>(part: keyof typeof ACCOUNT_OPERATIONS, read: () => Promise<T>): Promise<T> {
    const answer = answerTo(ACCOUNT_OPERATIONS[part]);
    const before = known.get(part);
    if (before?.answer === answer) return before.read as Promise<T>;
    const reading = read();
    known.set(part, { answer, read: reading });
    return reading;
  }
  /** After the end of a recording its last list is repeated: that is no list that stands still. */
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
  /** Nothing later was recorded. */
  isOver(now: number): boolean;
  /** What holds now: the latest at or before this moment, and before the first the first. Time only goes forward. */
  at(now: number): RecordedAnswer;
}

/** What is answered under each key. */
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
