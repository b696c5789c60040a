/**
 * Recorded histories: steps with the provider's responses from that time on. A step has the keys of the status page, an
 * account with its responses, or both. Missing keys are unchanged.
 *
 *   {"name": …, "title": …, "accounts": {"acme": {"sites": {…}}}, "steps": [
 *     {"at": "2026-03-02T09:00:00Z", "status": {"page": {…}}, "components": […], "notices": […], "details": {…}},
 *     {"at": "2026-03-02T09:00:00Z", "account": "acme", "registrations": {…}, "extensions": […], "toggles": […]},
 *     {"at": "2026-03-02T09:01:00Z", "account": "acme", "registrations": {"error": 503}},
 *     {"at": "2026-03-02T09:02:00Z", "answers": {"/api/v1/components": {"components": […]}, "/api/v1/notices/7": {"error": 404}}}]}
 *
 * Responses of accounts are raw, and so are page responses under `answers`; they are parsed on replay. `"type":
 * "statuspage"` beside the name gives the type of the page. `"pages": {"carrier": {"type": "statuspage"}}` declares
 * further pages, which steps select with `"page": "carrier"`.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as z from 'zod';
import { formatList } from '../core/text/plain.ts';
import type { StatusDocuments } from './status/page-documents.ts';
import { SimulatorError } from './simulator-error.ts';
import { VENDORS } from './vendors/vendors.ts';

const ALWAYS = '1970-01-01T00:00:00.000Z';

const updateSchema = z.looseObject({
  state: z.string().nullable(),
  content: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
const componentSchema = z.looseObject({
  id: z.int(),
  state: z.string(),
  name: z.string(),
  description: z.string().default(''),
  parent_id: z.int().nullable().default(null),
  created_at: z.string().default(ALWAYS),
  updated_at: z.string().default(ALWAYS),
});
const noticeShape = {
  id: z.int(),
  type: z.string(),
  timeline_state: z.string(),
  state: z.string().nullable(),
  subject: z.string(),
  url: z.string().default(''),
  begins_at: z.string().nullable().exactOptional(),
  ends_at: z.string().nullable().exactOptional(),
  began_at: z.string().nullable().default(null),
  ended_at: z.string().nullable().default(null),
  created_at: z.string(),
  updated_at: z.string(),
};
const pageSchema = z.looseObject({
  name: z.string(),
  state: z.string(),
  url: z.string().default(''),
  created_at: z.string().default(ALWAYS),
  updated_at: z.string().default(ALWAYS),
});
/** The last parts of the paths that calls are read from. */
export const REPORT_PARTS = [
  'missed-calls',
  'answered-extensions',
  'incoming-calls-external-numbers',
  'outgoing-calls',
  'outgoing',
  'collection',
  'agent-status',
  'voicemail',
] as const;

const stepSchema = z.strictObject({
  at: z.iso.datetime({ offset: true }),
  note: z.string().optional(),
  status: z.looseObject({ page: pageSchema }).optional(),
  components: z.array(componentSchema).optional(),
  notices: z.array(z.looseObject({ ...noticeShape, latest_update: updateSchema.nullable().default(null) })).optional(),
  details: z
    .record(
      z.string().regex(/^\d+$/, { error: 'a detail belongs under the id of its notice' }),
      z.looseObject({ ...noticeShape, components: z.array(componentSchema), updates: z.array(updateSchema) }),
    )
    .optional(),
  answers: z
    .record(
      z.string().startsWith('/', { error: 'an answer belongs under its address, such as /api/v1/status' }),
      z.unknown(),
    )
    .optional(),
  page: z.string().min(1).optional(),
  account: z.string().min(1).optional(),
  registrations: z.unknown().optional(),
  extensions: z.unknown().optional(),
  toggles: z.unknown().optional(),
  reports: z.partialRecord(z.enum(REPORT_PARTS), z.unknown()).optional(),
});
const historySchema = z.looseObject({
  name: z.string().optional(),
  title: z.string().optional(),
  type: z.enum(['provider', ...Object.keys(VENDORS)]).optional(),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  pages: z.record(z.string(), z.unknown()).optional(),
  accounts: z.record(z.string(), z.unknown()).optional(),
  steps: z.array(z.unknown()).min(1),
});
type StepEntry = z.output<typeof stepSchema>;

const PAGE_KEYS = ['status', 'components', 'notices', 'details'] as const;
export const ACCOUNT_PARTS = ['registrations', 'extensions', 'toggles'] as const;
type HistoryPart = (typeof ACCOUNT_PARTS)[number] | (typeof REPORT_PARTS)[number];

interface HistoryStep {
  /** Time of the step, epoch milliseconds. */
  at: number;
  /** Name of the page; null for the file's own. */
  page: string | null;
  /** Documents of the page; null if the step is not about it. */
  documents: StatusDocuments | null;
  /** Changed raw responses of the page by address; null if there are none. */
  answers: Readonly<Record<string, unknown>> | null;
  /** Changed raw responses of an account by part. */
  account: { name: string; answers: Readonly<Partial<Record<HistoryPart, unknown>>> } | null;
}

export interface WorldHistory {
  name: string;
  title: string;
  /** Type of the recorded page. */
  type: 'provider' | keyof typeof VENDORS;
  /** Address at which the page was recorded; null if unknown. */
  baseUrl: string | null;
  /** Settings of named pages, as in a configuration; not validated here. */
  pages: Readonly<Record<string, unknown>>;
  /** Settings of accounts by name, as in a configuration; not validated here. */
  accounts: Readonly<Record<string, unknown>>;
  steps: readonly HistoryStep[];
}

/** Throws a `SimulatorError` with file, step and key of the first error. */
export function loadHistory(file: string): WorldHistory {
  return readHistory(readFileSync(file, 'utf8'), file);
}

/** Throws `SimulatorError` with file and error. A history without a name uses the file's. */
export function readHistory(text: string, file: string): WorldHistory {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new SimulatorError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = historySchema.safeParse(json);
  if (!parsed.success) throw mistake(parsed.error, `${file} is not a recorded history`);
  const { name = basename(file).replace(/\.json$/, ''), title = '', accounts = {}, steps } = parsed.data;
  const { type = 'provider', base_url: baseUrl = null, pages = {} } = parsed.data;
  const read = readSteps(steps, Object.keys(pages), file);
  return { name, title, type: type as WorldHistory['type'], baseUrl, pages, accounts, steps: read };
}

/** `named`: pages that a step may refer to. */
function readSteps(entries: readonly unknown[], named: readonly string[], file: string): HistoryStep[] {
  const steps: HistoryStep[] = [];
  const shown = new Map<string | null, StatusDocuments>();
  for (const [index, entry] of entries.entries()) {
    const place = `${file}: step ${index + 1}`;
    const parsed = stepSchema.safeParse(entry);
    if (!parsed.success) throw mistake(parsed.error, place);
    const step = parsed.data;
    const at = Date.parse(step.at);
    if (at < (steps.at(-1)?.at ?? -Infinity)) {
      throw new SimulatorError(`${place}: at: it is earlier than that of the step before it`);
    }
    const { answers = null, page = null } = step;
    if (page !== null && !named.includes(page)) {
      const known = named.length === 0 ? 'the history has no pages' : `pages has ${formatList(named)}`;
      throw new SimulatorError(`${place}: page: there is no page ${JSON.stringify(page)}; ${known}`);
    }
    const isOfPage = PAGE_KEYS.some((key) => step[key] !== undefined);
    const documents = isOfPage ? documentsOf(step, shown.get(page) ?? null, place) : null;
    if (documents !== null) shown.set(page, documents);
    if (isOfPage && answers !== null) {
      throw new SimulatorError(`${place}: answers: the step shows the page in another way already`);
    }
    steps.push({ at, page, documents, answers, account: accountOf(step, place) });
  }
  return steps;
}

function documentsOf(step: StepEntry, before: StatusDocuments | null, place: string): StatusDocuments {
  const page = step.status === undefined ? before?.page : withoutLinks(step.status.page);
  if (page === undefined) {
    throw new SimulatorError(`${place}: status: the first step of a page has to say how the page is`);
  }
  const details = Object.entries(step.details ?? {}).map(([id, detail]) => [Number(id), detail] as const);
  return {
    page,
    components: step.components ?? before?.components ?? [],
    notices: step.notices ?? before?.notices ?? [],
    details: step.details === undefined ? (before?.details ?? new Map()) : new Map(details),
    gone: new Set(),
  };
}

/** The world writes its own links in its chosen style. */
function withoutLinks({ links: _links, ...page }: z.output<typeof pageSchema>): StatusDocuments['page'] {
  return page;
}

function accountOf(step: StepEntry, place: string): HistoryStep['account'] {
  const parts = ACCOUNT_PARTS.filter((part) => step[part] !== undefined);
  const [part] = parts;
  if (step.account !== undefined) {
    const answers = Object.fromEntries(parts.map((each) => [each, step[each]]));
    return { name: step.account, answers: { ...answers, ...step.reports } };
  }
  if (part === undefined && step.reports === undefined) return null;
  throw new SimulatorError(
    `${place}: ${part ?? 'reports'}: whose? The step has to name its account, as in "account": "acme"`,
  );
}

/** One error suffices: a broken recording is usually broken the same way throughout. */
function mistake(error: z.ZodError, place: string): SimulatorError {
  const [issue] = error.issues;
  if (issue === undefined) return new SimulatorError(place);
  const path = z.core.toDotPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const keys = [...issue.keys].map((key) => JSON.stringify(key)).join(', ');
    const allowed = Object.keys(stepSchema.shape).join(', ');
    return new SimulatorError(`${place}: ${keys}: unknown key; a step may hold ${allowed}`);
  }
  return new SimulatorError(`${place}: ${path === '' ? '' : `${path}: `}${issue.message}`);
}
