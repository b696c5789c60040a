/** Answers of the API: one schema for each, from which its description is generated. */
import * as z from 'zod';
import { report } from '../../core/report/report-schema.ts';
import { status, waiting } from '../../core/view/status-schema.ts';
import { alerts, at, severity } from '../../core/view/story/alert-schema.ts';
import { muting, story } from '../../core/view/story/story-schema.ts';
import { verdict } from '../../core/view/verdict/verdict-schema.ts';
import { days } from '../days/days-schema.ts';

const ended = z.object({
  number: z.int(),
  severity,
  title: z.string(),
  sources: z.array(z.string()),
  state: z.string().nullable(),
  started_at: at,
  ended_at: at,
  url: z.string().nullable(),
});

const maintenance = z.object({
  number: z.int(),
  source: z.string(),
  subject: z.string(),
  phase: z.enum(['to come', 'under way', 'ended', 'cancelled']),
  begins_at: at,
  ends_at: at,
  affected: z.array(z.string()),
  url: z.string().nullable(),
});

const silence = muting.extend({ active: z.boolean() });

const component = z.object({
  source: z.string(),
  id: z.string(),
  name: z.string(),
  state: z.string(),
  parent_id: z.string().nullable(),
  since: at,
  known: z.boolean(),
});

const UNREADABLE = 'The history cannot be read';

/** By the end of the path; `refusals` by status, in plain text. */
export const API = {
  verdict: { summary: 'One verdict over everything, as the page and the badge say it', schema: verdict },
  status: {
    summary: 'Each source, what is open, and what waits: what `linewatch status --json` prints',
    schema: status,
  },
  alerts: {
    summary: 'Open alerts, sorted by severity, phones offline, not acknowledged first, age',
    schema: alerts,
  },
  'alerts/{number}': {
    summary: 'The whole story of one alert, open or over',
    schema: story,
    refusals: { '404': 'No such alert is remembered', '503': UNREADABLE },
    query: { id: ['Its id, where the state was deleted since and a later alert has its number', z.string()] },
  },
  ended: { summary: 'Alerts of the last 24 hours that are over, the latest first', schema: z.array(ended) },
  days: {
    summary: 'Ninety days of each component and each site of phones, 50 sources at a time',
    schema: days,
    refusals: { '503': UNREADABLE },
    query: {
      q: ['Of which customer, site, page or part, by a piece of its name', z.string().max(100)],
      show: ['Only what had trouble', z.literal('trouble')],
      page: ['Which fifty sources, counted from 1', z.int().min(1)],
    },
  },
  report: {
    summary: 'The report of a month, or from one time to another: what `linewatch report --format json` prints',
    schema: report,
    refusals: {
      '404': 'The history has nothing of it',
      '422': 'It is no month or no time, or has not begun yet',
      '503': `${UNREADABLE}, or other exports are being read`,
    },
    query: {
      month: ['Such as 2026-10; default the last whole month', z.string().regex(/^\d{4}-\d\d$/)],
      from: ['In place of a month: a day, a time, or how long ago, such as 7d', z.string()],
      to: ['Until then, a day with all of it; default now', z.string()],
      source: ['Only of this page or account', z.string()],
      customer: ['Only of the accounts of this customer, and of the pages named for them', z.string()],
    },
  },
  components: { summary: 'Every component of every status page', schema: z.array(component) },
  maintenance: {
    summary: 'Planned work: to come, under way, and over as far as it is remembered',
    schema: z.array(maintenance),
  },
  deliveries: { summary: 'Messages that wait or were refused', schema: z.array(waiting) },
  silences: { summary: 'Silences that are active or to come', schema: z.array(silence) },
} as const;

export type ApiName = keyof typeof API;
