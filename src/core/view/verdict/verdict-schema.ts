/** The verdict for programs: a schema from which its type and the published description follow. */
import * as z from 'zod';
import { at, causeKind } from '../story/alert-schema.ts';

export const starting = z.object({ read: z.int(), total: z.int() });

export const verdict = z.object({
  tone: z.enum(['crit', 'warn', 'unk', 'work', 'ok']),
  headline: z.string(),
  /** The headline split by cause, in sentences; empty if no phone is offline. */
  split: z.array(z.string()),
  /** Advice, a line for each cause. */
  todo: z.array(z.string()),
  /** Number of open alerts. */
  open: z.int(),
  /** Number of the headline's alert; null for none. */
  alert: z.int().nullable(),
  /** Names of the sources in an unknown state. */
  unknown: z.array(z.string()),
  starting: starting.exactOptional(),
  /** `not_seen`: absent from one response, and not offline yet. The four numbers add up to all watched phones. */
  phones: z.object({ registered: z.int(), offline: z.int(), not_seen: z.int(), unknown: z.int() }),
  /** Sorted by phones offline; their sum is `phones.offline`. */
  causes: z.array(
    z.object({
      cause: causeKind,
      offline: z.int(),
      since: at,
      /** Numbers of the alerts that report it. */
      alerts: z.array(z.int()),
      /** Sorted by phones offline; their sum is that of the cause. */
      customers: z.array(z.object({ name: z.string(), offline: z.int(), total: z.int() })),
    }),
  ),
});

export type VerdictReport = z.infer<typeof verdict>;
