/**
 * Status for programs: a schema from which its types and the published description follow. Fields of the types below
 * are sent and not published.
 */
import * as z from 'zod';
import type { AccountPart } from '../observation/listing.ts';
import type { Proof } from '../outbox/proof.ts';
import type { Timestamp, UsualDetails } from '../transition/details.ts';
import type { ProofStanding } from './standing/receiver-standing.ts';
import { alerts, at, word, type Late } from './story/alert-schema.ts';
import { starting, verdict } from './verdict/verdict-schema.ts';

/** An object with more fields than are published. */
function looseObject<S extends z.core.$ZodShape>(shape: S): z.ZodType<z.infer<z.ZodObject<S>>> {
  return z.looseObject(shape) as z.ZodType as z.ZodType<z.infer<z.ZodObject<S>>>;
}

function names(): z.ZodType<readonly string[]> {
  return z.array(z.string());
}

/** Open alerts of a source. */
const open = {
  /** Alerts whose title concerns this source. */
  alerts,
  /** Other alerts that include this source, listed at another one. */
  takes_part_in: z.array(z.object({ number: z.int(), shown_at: z.string() })),
};

export type OpenReport = Received<z.infer<z.ZodObject<typeof open>>>;
type Received<T extends { takes_part_in: unknown }> = Late<T, 'takes_part_in'>;

const read = {
  name: z.string(),
  base_url: z.string(),
  /** Time of the last complete reading; null for none since the start. */
  last_read_at: at,
  /** Misses of the last sweep, a sentence each. */
  blind: z.array(z.string()),
};

const component = z.object({ id: z.string(), name: z.string(), state: z.string() });
const notice = z.object({ id: z.string(), subject: z.string(), state: z.string().nullable() });

export interface NoticeReport extends z.infer<typeof notice> {
  type: string;
  url: string | null;
}

const source = z.object({
  ...read,
  ...open,
  /** It was not read in time and shows its previous state; absent if it was. */
  unread: z.literal(true).exactOptional(),
  page: z.object({ name: z.string(), state: z.string() }).nullable(),
  components: looseObject({ total: z.int(), not_operational: z.array(component) }),
  notices: z.array(looseObject(notice.shape) as z.ZodType<NoticeReport>),
  /** Progress of the import of past notices; absent if there is none. */
  past_notices: z.object({ settled: z.int(), total: z.int(), listing: z.boolean() }).exactOptional(),
});

export type SourceReport = Received<z.infer<typeof source>>;

const count = { registered: z.int(), total: z.int(), away: z.int().exactOptional() };
const site = z.object({
  ...count,
  /** Null for phones of unknown address. */
  site: z.string().nullable(),
  missing: z.array(looseObject({ extension: z.string(), name: z.string().nullable(), since: at })),
});
const toggle = z.object({
  id: z.string(),
  name: z.string(),
  status: z.boolean().nullable(),
  /** Expected status at the last reading; null without an expectation. */
  expected: z.boolean().nullable(),
});

/** Phones last seen at one external address, or at the addresses of one name. */
export interface SiteReport extends z.infer<typeof site> {
  /** Usual times at which phones that are away leave and return. */
  usual?: UsualDetails;
}

export interface ToggleReport extends z.infer<typeof toggle> {
  /** Next change of its expected status; absent if unknown. */
  changesAt?: number;
}

/** Reports of calls. */
const calls = z.object({
  /** Reports that were not read: `is_missing` if the account does not have them. */
  unread: z.array(z.object({ report: z.string(), is_missing: z.boolean() })),
  /** Reports without news although there should be calls; `since` is null if unknown. */
  still: z.array(z.object({ report: z.string(), since: at })),
  /** Boxes with messages older than a day and without mail about them. */
  boxes: z.array(z.object({ box: z.string(), messages: z.int(), oldest: z.iso.datetime() })),
});

/** JSON only, as it crosses the socket unchanged. */
export type CallsView = z.infer<typeof calls>;

const account = z.object({
  ...read,
  ...open,
  /** Name for people; absent if it is the configured name. */
  called: z.string().exactOptional(),
  /** Parts that show their previous state: not read in time, or failed in the last sweep. */
  unread: z.array(word<AccountPart>()).exactOptional(),
  /** Null before the first reading of the phones. */
  phones: looseObject({
    ...count,
    missing: z.array(z.string()),
    sites: z.array(looseObject(site.shape) as z.ZodType<SiteReport>),
  }).nullable(),
  toggles: z.array(looseObject(toggle.shape) as z.ZodType<ToggleReport>).nullable(),
  /** Absent if its calls are not watched. */
  calls: calls.exactOptional(),
});

export type AccountReport = Received<z.infer<typeof account>>;

const delivery = z.object({
  receiver: z.string(),
  /** It is no longer configured; absent if it is. */
  removed: z.literal(true).exactOptional(),
  waiting: z.int(),
  refused: z.int(),
});

export interface DeliveryReport extends z.infer<typeof delivery> {
  oldest_waiting_at: Timestamp | null;
  failing: { since: Timestamp | null; reason: string } | null;
  /** Result of the last message that was not refused; absent before the first. */
  last?: { proof: Proof; at: Timestamp | null };
  /** Its weekly proof by people; absent if it is not asked for one. */
  weekly?: { state: ProofStanding['state']; asked_at: Timestamp | null; seen_at: Timestamp | null };
}

/** Part that a member has in the watch, as another sees it. */
export type MemberPart = 'leading' | 'from memory' | 'paused' | 'standing by' | 'too old' | 'stopped' | 'silent';

const member = z.object({
  name: z.string(),
  version: z.string(),
  standing: word<MemberPart>(),
  epoch: z.int().nullable(),
  /** Seconds since it last renewed the lease, or reported itself. */
  silent_s: z.number(),
  /** Milliseconds of the database's response time; null if unknown. */
  lag_ms: z.number().nullable().exactOptional(),
  clock_ahead_s: z.number(),
  /** Its share of every limit of requests, above 0 and at most 1; absent if it does not lead. */
  share: z.number().exactOptional(),
  /** Difference of its configuration from that of the member that answered; absent if it is the same. */
  configuration: z.object({ lacks: names(), adds: names(), differs: names() }).exactOptional(),
});

const members = z.object({
  /** The member that answered. */
  self: z.string(),
  /** Null without a leader. */
  leader: z.string().nullable(),
  /** The database does not respond to the member that answered. */
  cut_off: z.boolean().exactOptional(),
  /** Reason why the database refused this member's last request; absent while it works. */
  refusal: z.string().exactOptional(),
  all: z.array(member),
  /** Shards of the sources; absent if one member watches all. */
  groups: z
    .array(
      z.object({
        group: z.int(),
        sources: z.array(z.string()),
        /** Null without a leader. */
        holder: z.string().nullable(),
        epoch: z.int(),
        /** Seconds since its lease was renewed; null without a leader. */
        renewed_s: z.number().nullable(),
      }),
    )
    .exactOptional(),
});

export type MembersReport = z.infer<typeof members>;

export const status = z.object({
  instance: z.string(),
  /** False if it was read from disk, without a daemon. */
  running: z.boolean(),
  started_at: at,
  /** Number of sources read since the start; absent once the first sweep of each has ended or is late. */
  starting: starting.exactOptional(),
  /** Absent without a running daemon: the current state is unknown then. */
  verdict: verdict.exactOptional(),
  sources: z.array(source as z.ZodType<SourceReport>),
  accounts: z.array(account as z.ZodType<AccountReport>),
  /** Open alerts about Linewatch itself, and documents that the disk refuses. */
  linewatch: z.object({ alerts, unsaved: z.array(z.string()) }),
  deliveries: z.array(looseObject(delivery.shape) as z.ZodType<DeliveryReport>),
  /** Members that share the database; absent if the state is in files. */
  members: members.exactOptional(),
});

export type PublishedStatus = z.infer<typeof status>;

/** A message that waits or was refused. */
export const waiting = z.object({
  id: z.string(),
  receiver: z.string(),
  /** `removed`: the receiver is no longer configured. */
  state: z.enum(['waiting', 'refused', 'removed']),
  alert: z.int().nullable(),
  title: z.string(),
  kinds: z.array(z.string()),
  promised_at: at,
  /** Reason of the refusal, or of the receiver's current failure. */
  reason: z.string().nullable(),
});

export type WaitingReport = z.infer<typeof waiting>;
