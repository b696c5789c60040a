/** The report of a month, for programs. */
import * as z from 'zod';
import { SEVERITIES } from '../../core/transition/kind.ts';

const at = z.iso.datetime().nullable();
const severity = z.enum(SEVERITIES);
const ms = z.number().nullable();
const ofSource = { source: z.string() };

export const report = z.object({
  instance: z.string(),
  timezone: z.string(),
  month: z.string().nullable(),
  heading: z.string().nullable(),
  called: z.record(z.string(), z.string()),
  made_at: at,
  since: at,
  until: at,
  history_begins_at: at,
  sources: z.array(
    z.object({
      ...ofSource,
      gaps: z.array(z.object({ since: at, until: at })),
      unknown_ms: z.number(),
      unwatched_since: at,
    }),
  ),
  uptimes: z.array(
    z.looseObject({
      ...ofSource,
      subject: z.string(),
      name: z.string(),
      percent: z.number().nullable(),
      percent_beside_maintenance: z.number().nullable(),
      known_ms: z.number(),
      up_ms: z.number(),
      degraded_ms: z.number(),
      maintenance_ms: z.number(),
      unknown_ms: z.number(),
    }),
  ),
  outages: z.array(
    z.looseObject({
      ...ofSource,
      sources: z.array(z.string()),
      id: z.string(),
      number: z.int(),
      severity,
      title: z.string(),
      since: at,
      until: at,
      unwatched_since: at,
      within: z.object({ since: at, until: at }),
      within_ms: z.number(),
      unread_ms: z.number(),
      not_watched_before: at,
    }),
  ),
  maintenances: z.array(
    z.looseObject({ ...ofSource, notice: z.string(), title: z.string(), begins_at: at, ends_at: at }),
  ),
  edits: z.array(z.looseObject({ ...ofSource, id: z.string(), at, before: z.string(), after: z.string() })),
  sites: z.array(
    z.looseObject({ ...ofSource, site: z.string(), phones: z.int(), losses: z.int(), lost_ms: z.number() }),
  ),
  customers: z.array(
    z.looseObject({ customer: z.string(), accounts: z.array(z.string()), phones: z.int(), lost_ms: z.number() }),
  ),
  receivers: z.array(z.looseObject({ receiver: z.string(), delivered: z.int(), late: z.int(), refused: z.int() })),
  late: z.array(z.looseObject({ receiver: z.string(), id: z.string(), due_at: at, late_ms: ms })),
  record: z.array(
    z.object({
      ...ofSource,
      told: z.object({ since: at, until: at }).nullable(),
      notices: z.array(z.looseObject({ id: z.string(), subject: z.string(), began_at: at, ended_at: at })),
      punctuality: z.object({ incidents: z.int(), late: z.int(), after_end: z.int() }),
      components: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          incidents: z.int(),
          months: z.int().nullable(),
          since: at,
          median_ms: z.int().nullable(),
        }),
      ),
    }),
  ),
  left_out: z.object({ alerts: z.int(), changes: z.int(), late: z.int() }),
});
