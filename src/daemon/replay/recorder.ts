/**
 * Records responses of a running watch as histories that `replay` plays: one for each page with the accounts it
 * explains and their other pages, as they belong together, and one for each account without a page. A sweep is a step
 * with all responses that changed, without secrets; a failed request is recorded as its status.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listSourceNames, type AccountConfig, type Config, type StatusPageConfig } from '../../config/config.ts';
import { joinLinked, listPages } from '../../config/shards.ts';
import type { HttpOptions, RecordedAnswer } from '../../provider/http.ts';
import { MASK } from '../../provider/field-kinds.ts';
import { ACCOUNT_OPERATIONS } from './recorded-source.ts';

export type Recorder = ReturnType<typeof createRecorder>;

interface RecorderDeps {
  directory: string;
  now(): number;
  /** Removes secrets. */
  redact(text: string): string;
}

/** Writes nothing before the end of a sweep. Creates the directory; files are readable by their owner only. */
export function createRecorder(
  { statusPages, accounts }: Pick<Config, 'statusPages' | 'accounts'>,
  deps: RecorderDeps,
) {
  const courses = new Map<string, RecordedSource>();
  const recorded = statusPages.map(({ name }) => name);
  const links = accounts.flatMap((account) => listPages(account).map((page) => [account.name, page] as const));
  const units = joinLinked(
    listSourceNames({ statusPages, accounts }),
    links.filter(([, page]) => recorded.includes(page)),
  );
  for (const unit of units) {
    const story = {
      pages: statusPages.filter(({ name }) => unit.includes(name)),
      accounts: accounts.filter(({ name }) => unit.includes(name)),
    };
    const file = createRecording(headOf(story), deps);
    for (const { name } of story.pages) {
      const page = isOfOnePage(story) ? {} : { page: name };
      courses.set(
        name,
        createCourse(file, addressOf, (answers) => ({ ...page, answers })),
      );
    }
    for (const { name } of story.accounts) courses.set(name, courseOfAccount(name, file));
  }
  return {
    /** Called with every response of this source, before the end of its sweep. */
    listenTo:
      (source: string): NonNullable<HttpOptions['onAnswer']> =>
      (operation, url, answer) =>
        courses.get(source)?.answered(operation, url, answer),
    /** Called after every sweep. Rejects when the disk refuses. */
    sweepEnded: async (source: string): Promise<void> =>
      courses.get(source)?.sweepEnded(new Date(deps.now()).toISOString()),
  };
}

interface HistoryHead {
  name: string;
  type?: string;
  base_url?: string;
  pages?: Readonly<Record<string, object>>;
  accounts: Readonly<Record<string, object>>;
}

/** Pages and accounts in one file. */
interface RecordedSources {
  pages: readonly StatusPageConfig[];
  accounts: readonly AccountConfig[];
}

/** The steps need not name the page: the file has one, with whole accounts. */
function isOfOnePage({ pages, accounts }: RecordedSources): boolean {
  const [page, ...others] = pages;
  if (page === undefined || others.length > 0) return false;
  return accounts.every(({ statusPage, sitePages }) => statusPage === page.name && Object.keys(sitePages).length === 0);
}

/** A story has at least one source. */
function headOf(story: RecordedSources): HistoryHead {
  const { pages, accounts } = story;
  const [page] = pages;
  const name = (page ?? accounts[0])?.name ?? '';
  if (page === undefined || isOfOnePage(story)) {
    const place = page === undefined ? {} : placeOf(page);
    const known = accounts.map((one) => [one.name, { sites: one.sites, labels: one.labels }]);
    return { ...place, name, accounts: Object.fromEntries(known) };
  }
  return {
    name,
    pages: Object.fromEntries(pages.map((one) => [one.name, { type: one.type, base_url: one.baseUrl }])),
    accounts: Object.fromEntries(accounts.map((one) => [one.name, withPages(one, pages)])),
  };
}

function placeOf({ type, baseUrl }: StatusPageConfig): Pick<HistoryHead, 'type' | 'base_url'> {
  return { ...(type !== 'provider' && { type }), base_url: baseUrl };
}

/** An account with the names of the recorded pages that may explain its losses. */
function withPages(account: AccountConfig, pages: RecordedSources['pages']): object {
  const { statusPage, statusPages, sites, sitePages, siteComponents, labels } = account;
  const recorded = (names: readonly string[]): string[] =>
    names.filter((name) => pages.some((page) => page.name === name));
  const site = ([address, name]: [string, string]): [string, string | object] => {
    const own = recorded(sitePages[address] ?? []);
    const components = siteComponents[address];
    const named = { name, status_pages: own, ...(components !== undefined && { components }) };
    return [address, own.length === 0 ? name : named];
  };
  return {
    ...(statusPage !== null && recorded([statusPage]).length > 0 && { status_page: statusPage }),
    status_pages: recorded(statusPages),
    sites: Object.fromEntries(Object.entries(sites).map(site)),
    labels,
  };
}

function addressOf(_operation: string, { pathname, search }: URL): string {
  return `${pathname}${search}`;
}

function courseOfAccount(account: string, file: Recording): RecordedSource {
  const parts = new Map<string, string>(Object.entries(ACCOUNT_OPERATIONS).map(([part, id]) => [id, part]));
  return createCourse(
    file,
    (operation) => parts.get(operation),
    (answers) => ({ account, ...answers }),
  );
}

/** Responses of one source so far. */
interface RecordedSource {
  answered(operation: string, url: URL, answer: RecordedAnswer): void;
  sweepEnded(at: string): Promise<void>;
}

function createCourse(
  file: Recording,
  keyOf: (operation: string, url: URL) => string | undefined,
  stepOf: (answers: Readonly<Record<string, unknown>>) => object,
): RecordedSource {
  /** Hashes of the last responses, which take less memory than the responses. */
  const last = new Map<string, string>();
  let heard = new Map<string, unknown>();
  return {
    answered(operation, url, answer) {
      const key = keyOf(operation, url);
      if (key !== undefined) heard.set(key, 'error' in answer ? answer : withoutSecrets(answer.value));
    },
    async sweepEnded(at) {
      const changed = [...heard].filter(([key, answer]) => {
        const digest = `${file.begun} ${createHash('sha256').update(JSON.stringify(answer)).digest('base64')}`;
        const isNew = last.get(key) !== digest;
        last.set(key, digest);
        return isNew;
      });
      heard = new Map();
      if (changed.length > 0) await file.add({ at, ...stepOf(Object.fromEntries(changed)) });
    },
  };
}

/** Matched by field name anywhere in a response, as responses that break the contract are recorded as well. */
const SECRET = /password|passwd|secret|token|api_?key|(stream|recording)_url/i;

function withoutSecrets(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, entry: unknown) => (SECRET.test(key) ? MASK : entry)) ?? 'null');
}

/** One history being written: the file is a complete history after every step, and none of it is kept in memory. */
type Recording = ReturnType<typeof createRecording>;

const END = '\n]}\n';
/** Only we create this file, and we do not follow links to other files. */
const BEGIN = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const CONTINUE = constants.O_WRONLY | constants.O_NOFOLLOW;

/** `head`: content of the file before its steps. */
export function createRecording(head: HistoryHead, { directory, now, redact }: RecorderDeps) {
  let begun = 0;
  let path: string | null = null;
  let queue = Promise.resolve();

  async function begin(line: string): Promise<void> {
    const at = new Date(now()).toISOString();
    const opening = JSON.stringify({ ...head, title: `recorded from ${at}` }).slice(0, -1);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const fresh = join(directory, `${head.name}-${at.replaceAll(/[:.]/g, '-')}.json`);
    // Removes a foreign link of this name, not its target.
    await rm(fresh, { force: true });
    await using file = await open(fresh, BEGIN, 0o600);
    await file.writeFile(`${redact(opening)},"steps":[\n${line}${END}`);
    path = fresh;
  }

  async function append(known: string, line: string): Promise<void> {
    await using file = await open(known, CONTINUE);
    const { size } = await file.stat();
    await file.write(Buffer.from(`,\n${line}${END}`), 0, null, size - END.length);
  }

  async function write(step: object): Promise<void> {
    const line = redact(JSON.stringify(step));
    try {
      await (path === null ? begin(line) : append(path, line));
    } catch (error) {
      // Moved away or half written: the next step starts another file.
      path = null;
      begun += 1;
      throw error;
    }
  }

  return {
    /** Increases when a new file is started, which lacks the earlier steps. */
    get begun() {
      return begun;
    },
    /** Writes steps in the order of the calls. Rejects when the disk refuses. */
    add(step: object) {
      const written = queue.then(() => write(step));
      queue = written.catch(() => undefined);
      return written;
    },
  };
}
