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
  /** What of it nobody watched: it is as the provider's notices say. */
  noticed_ms: z.int(),
  most_lost: z.int(),
});

export const days = z.object({
  since: at,
  until: at,
  /** When what is kept begins. */
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
      number: z.int(),
      severity,
      title: z.string(),
      sources: z.array(z.string()),
      started_at: at,
      ended_at: at,
      /** From the first lost phone to the provider's first word, negative for before it; null where it cost none. */
      provider_lag_ms: z.int().nullable(),
      /** From the provider's "resolved" to the last phone back; null where either is missing. */
      back_after_resolved_ms: z.int().nullable(),
      /** The number of the alert that tells the rest of it. */
      merged_into: z.int().optional(),
    }),
  ),
  gaps: z.array(z.object({ sources: z.array(z.string()), since: at, until: at })),
});
