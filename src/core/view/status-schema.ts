/** Status for programs: a schema from which its types and the published description follow. */
import * as z from 'zod';
import type { AccountPart } from '../observation/listing.ts';
import { word } from '../text/word-schema.ts';
import type { Proof } from '../outbox/proof.ts';
import type { ProofStanding } from './standing/receiver-standing.ts';
import { alerts, at, type Late } from './story/alert-schema.ts';
import { starting, verdict } from './verdict/verdict-schema.ts';

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
const notice = z.object({
  id: z.string(),
  subject: z.string(),
  type: z.string(),
  state: z.string().nullable(),
  /** Its page at the provider; null for none. */
  url: z.string().nullable(),
});

const source = z.object({
  ...read,
  ...open,
  /** It was not read in time and shows its previous state; absent if it was. */
  unread: z.literal(true).exactOptional(),
  page: z.object({ name: z.string(), state: z.string() }).nullable(),
  components: z.object({ total: z.int(), not_operational: z.array(component) }),
  notices: z.array(notice),
  /** Progress of the import of past notices; absent if there is none. */
  past_notices: z.object({ settled: z.int(), total: z.int(), listing: z.boolean() }).exactOptional(),
});

export type SourceReport = Received<z.infer<typeof source>>;

const count = { registered: z.int(), total: z.int(), away: z.int().exactOptional() };
const site = z.object({
  ...count,
  /** Null for phones of unknown address. */
  site: z.string().nullable(),
  missing: z.array(z.object({ extension: z.string(), name: z.string().nullable(), since: at })),
  /** Usual times at which phones that are away leave and return, in the account's local time: `17:30`. */
  usual: z.object({ off: z.string(), back: z.string() }).exactOptional(),
});
const toggle = z.object({
  id: z.string(),
  name: z.string(),
  status: z.boolean().nullable(),
  /** Expected status at the last reading; null without an expectation. */
  expected: z.boolean().nullable(),
  /** Next change of its expected status; absent if unknown. */
  changes_at: at.exactOptional(),
});

/** Phones last seen at one external address, or at the addresses of one name. */
export type SiteReport = z.infer<typeof site>;
export type ToggleReport = z.infer<typeof toggle>;

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
  phones: z
    .object({
      ...count,
      missing: z.array(z.string()),
      sites: z.array(site),
    })
    .nullable(),
  toggles: z.array(toggle).nullable(),
  /** Absent if its calls are not watched. */
  calls: calls.exactOptional(),
});

export type AccountReport = Received<z.infer<typeof account>>;

const delivery = z.object({
  receiver: z.string(),
  /** It is no longer configured; absent if it is. */
  removed: z.literal(true).exactOptional(),
  waiting: z.int(),
  oldest_waiting_at: at,
  refused: z.int(),
  /** Null while it accepts messages; `since` is null if unknown. */
  failing: z.object({ since: at, reason: z.string() }).nullable(),
  /** Result of the last message that was not refused; absent before the first. */
  last: z.object({ proof: word<Proof>(), at }).exactOptional(),
  /** Its weekly proof by people; absent if it is not asked for one. */
  weekly: z.object({ state: word<ProofStanding['state']>(), asked_at: at, seen_at: at }).exactOptional(),
});

export type DeliveryReport = z.infer<typeof delivery>;

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
  deliveries: z.array(delivery),
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
