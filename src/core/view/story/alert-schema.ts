/**
 * An alert for programs: a schema from which its types and the published description follow. Events use the same names.
 * Other files of the core import only types of schemas, so that a start builds none.
 */
import * as z from 'zod';
import { PHASES } from '../../correlation/alert-facts.ts';
import type { HoldReason } from '../../correlation/notify-decision.ts';
import { word } from '../../text/word-schema.ts';
import { SEVERITIES } from '../../transition/kind.ts';

/** `T` as received: an older daemon does not send the fields of `K`. */
export type Late<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** ISO 8601 in UTC; null without a time. */
export const at = z.iso.datetime().nullable();
export const severity = z.enum(SEVERITIES);
export const holdReason = word<HoldReason>();
export const taken = z.object({ by: z.string(), comment: z.string(), at });

/** Cause of a loss. */
export const causeKind = z.enum([
  'provider',
  'planned',
  'suspected',
  'residual',
  'site',
  'model',
  'account',
  'unknown',
]);

/** Contribution of one source to an alert. */
const part = z.object({
  source: z.string(),
  /** Display name of the customer; null for a page. */
  customer: z.string().nullable(),
  phase: z.enum(PHASES),
  affected: z.object({
    phones: z
      .object({
        total: z.int(),
        offline: z.int(),
        by_site: z.array(z.object({ site: z.string().nullable(), offline: z.int(), total: z.int() })),
      })
      .nullable(),
    components: z.array(z.string()),
    toggles: z.array(z.string()),
  }),
});

/** Current state of an alert: events use the same names. */
export const facts = z.object({
  phase: z.enum(PHASES),
  /** Number of the alert that absorbed it; null otherwise. */
  merged_into: z.int().nullable(),
  cause: z
    .object({
      kind: causeKind,
      /** The named page, site, model or firmware; null for none. */
      name: z.string().nullable(),
      /** The evidence in a sentence; null for none. */
      why: z.string().nullable(),
    })
    .nullable(),
  /** Advice in a sentence; null if there is none. */
  advice: z.string().nullable(),
  parts: z.array(part),
  /** Number of sources in it that `parts` omits; absent for none. */
  more_parts: z.int().exactOptional(),
});

export type PartReport = z.infer<typeof part>;
export type FactsReport = z.infer<typeof facts>;

/** An alert is listed once, at the source of its title. */
const alert = z.object({
  ...facts.shape,
  id: z.string(),
  number: z.int(),
  severity,
  title: z.string(),
  started_at: at,
  /** Evidence for the cause of a loss, in a sentence; absent without a cause. */
  why: z.string().exactOptional(),
  /** Reason why people were not notified of it, or of its latest change; absent if they were. */
  not_told: holdReason.exactOptional(),
  /** Time of the waiting message; absent if none waits, or it has no time. */
  due_at: at.exactOptional(),
  /** Absent if no one has acknowledged it. */
  acknowledged: taken.exactOptional(),
  /** All sources in it now, that of the title first. */
  sources: z.array(z.string()).exactOptional(),
  /** Numbers of alerts that it absorbed; absent for none. */
  also: z.array(z.int()).exactOptional(),
  /** Phones it has offline now, over all accounts and for each; absent for none. */
  phones: z
    .object({
      offline: z.int(),
      accounts: z.array(z.object({ source: z.string(), offline: z.int(), total: z.int() })),
    })
    .exactOptional(),
});

export type AlertReport = Late<z.infer<typeof alert>, keyof FactsReport>;

export const alerts: z.ZodArray<z.ZodType<AlertReport>> = z.array(alert);
