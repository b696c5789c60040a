/**
 * Writes down what the sources of a running watch answer, as histories that `replay` plays: one for each page with the
 * accounts it explains and the other pages these have, for what happens to them is one story, and one for each account
 * without a page. A sweep is a step with every answer that was not as before, as it came but without its secrets; one
 * that was not read is its status.
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

export interface Recorder {
  /** To be called with every answer of this source, before the sweep that asked for it ends. */
  listenTo(source: string): NonNullable<HttpOptions['onAnswer']>;
  /** To be called after every sweep. Rejects when the disk refuses. */
  sweepEnded(source: string): Promise<void>;
}

interface RecorderDeps {
  directory: string;
  now(): number;
  /** Strikes out secrets. */
  redact(text: string): string;
}

/** Nothing is written before a sweep has ended. Makes the directory; what it writes only its owner may read. */
export function createRecorder(
  { statusPages, accounts }: Pick<Config, 'statusPages' | 'accounts'>,
  deps: RecorderDeps,
): Recorder {
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
    listenTo: (source) => (operation, url, answer) => courses.get(source)?.answered(operation, url, answer),
    sweepEnded: async (source) => courses.get(source)?.sweepEnded(new Date(deps.now()).toISOString()),
  };
}

interface HistoryHead {
  name: string;
  type?: string;
  base_url?: string;
  pages?: Readonly<Record<string, object>>;
  accounts: Readonly<Record<string, object>>;
}

/** Pages and accounts that are told of together. */
interface Story {
  pages: readonly StatusPageConfig[];
  accounts: readonly AccountConfig[];
}

/** Nothing in its file has to say which page it is about: there is one, for whole accounts. */
function isOfOnePage({ pages, accounts }: Story): boolean {
  const [page, ...others] = pages;
  if (page === undefined || others.length > 0) return false;
  return accounts.every(({ statusPage, sitePages }) => statusPage === page.name && Object.keys(sitePages).length === 0);
}

/** A story has at least one source. */
function headOf(story: Story): HistoryHead {
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

/** An account with the names of the recorded pages that may explain what happens to it. */
function withPages(account: AccountConfig, pages: Story['pages']): object {
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

/** What one source answers, as it goes on. */
interface RecordedSource {
  answered(operation: string, url: URL, answer: RecordedAnswer): void;
  sweepEnded(at: string): Promise<void>;
}

function createCourse(
  file: Recording,
  keyOf: (operation: string, url: URL) => string | undefined,
  stepOf: (answers: Readonly<Record<string, unknown>>) => object,
): RecordedSource {
  /** Enough to know what was recorded last without keeping it. */
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

/** By their names, in whatever frame they come: what breaks the contract is recorded, too. */
const SECRET = /password|passwd|secret|token|api_?key|(stream|recording)_url/i;

function withoutSecrets(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, entry: unknown) => (SECRET.test(key) ? MASK : entry)) ?? 'null');
}

/** One history being written: after every step the file is a whole history, and nothing of it is kept in memory. */
interface Recording {
  /** Grows when the history had to be begun anew: what was written before is not in the new file. */
  readonly begun: number;
  /** Steps are written in the order of these calls. Rejects when the disk refuses. */
  add(step: object): Promise<void>;
}

const END = '\n]}\n';
/** Nobody but us begins this file, and what a link leads to is not ours to write. */
const BEGIN = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const CONTINUE = constants.O_WRONLY | constants.O_NOFOLLOW;

/** `head`: what stands in the file before its steps. */
export function createRecording(head: HistoryHead, { directory, now, redact }: RecorderDeps): Recording {
  let begun = 0;
  let path: string | null = null;
  let queue = Promise.resolve();

  async function begin(line: string): Promise<void> {
    const at = new Date(now()).toISOString();
    const opening = JSON.stringify({ ...head, title: `recorded from ${at}` }).slice(0, -1);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const fresh = join(directory, `${head.name}-${at.replaceAll(/[:.]/g, '-')}.json`);
    // A link that somebody left under this name goes, and not what it leads to.
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
      // Moved away, or half written: the next step begins another.
      path = null;
      begun += 1;
      throw error;
    }
  }

  return {
    get begun() {
      return begun;
    },
    add(step) {
      const written = queue.then(() => write(step));
      queue = written.catch(() => undefined);
      return written;
    },
  };
}
