/** Ninety days, for programs. */
import * as z from 'zod';
import { SEVERITIES } from '../../core/transition/kind.ts';

const at = z.iso.datetime().nullable();
const severity = z.enum(SEVERITIES);

const day = z.object({
  date: z.iso.date(),
  state: z.enum(['well', 'in part', 'trouble', 'maintenance', 'unknown', 'none']),
  up_ms: z.int(),
  trouble_ms: z.int(),
  maintenance_ms: z.int(),
  unknown_ms: z.int(),
  /** The part without a watch, which follows the provider's notices. */
  noticed_ms: z.int(),
  most_lost: z.int(),
});

export const days = z.object({
  since: at,
  until: at,
  /** Start of the recorded data. */
  kept_since: at,
  page: z.int(),
  pages: z.int(),
  rows: z.array(
    z.object({
      source: z.string(),
      subject: z.string(),
      name: z.string(),
      up_percent: z.number().nullable(),
      unknown_ms: z.int(),
      lost_phone_ms: z.int(),
      days: z.array(day),
    }),
  ),
  alerts: z.array(
    z.object({
      id: z.string(),
      number: z.int(),
      severity,
      title: z.string(),
      sources: z.array(z.string()),
      started_at: at,
      ended_at: at,
      /**
       * From the first lost phone to the provider's first report, negative if that came earlier; null without lost
       * phones.
       */
      provider_lag_ms: z.int().nullable(),
      /** From the provider's "resolved" to the return of the last phone; null if either is missing. */
      back_after_resolved_ms: z.int().nullable(),
      /** Number of the alert that absorbed it. */
      merged_into: z.int().optional(),
    }),
  ),
  gaps: z.array(z.object({ sources: z.array(z.string()), since: at, until: at })),
});
