/** Options and collaborators of a daemon, all passed in, so that tests and the demo run the same daemon. */
import type { AccountSettings } from '../../core/account/settings.ts';
import type { SeverityOverride } from '../../core/alert/severity.ts';
import type { Route } from '../../core/alert/route.ts';
import type { ComponentFilter } from '../../core/alert/watch.ts';
import type { PageStepResult } from '../../core/engine/page-kind.ts';
import type { TimeOfDay } from '../../core/text/hours.ts';
import type { OfVendor } from '../../core/transition/transition.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import type { Bounds } from '../../core/outbox/retention.ts';
import type { MaintenanceSettings } from '../../core/page/maintenance.ts';
import type { ReserveNumbers } from '../common/alert-numbers.ts';
import type { DeliveryOptions } from '../delivery/deliveries.ts';
import type { Attempt } from '../delivery/delivery.ts';
import type { Monthly } from '../recording/monthly.ts';
import type { ProofSettings } from '../../core/engine/weekly-proof.ts';
import type { AccountReader } from '../common/account-reader.ts';
import type { CallReader } from '../calls/call-reader.ts';
import type { ReadCalendar, RotaSettings } from '../rotas/rotas.ts';
import type { PageReader } from '../../pages/page-reader.ts';

export interface WatchedPage extends OfVendor {
  name: string;
  baseUrl: string;
  reader: PageReader;
  intervalMs: number;
  intervalDuringIncidentMs: number;
  unreachableAfterMs: number;
  maintenance: MaintenanceSettings;
  components: ComponentFilter;
  /**
   * For pages that do not show how a notice ended: how long it has to be absent from complete responses before its end
   * is reported.
   */
  missingAfterMs?: number;
  /** Accepts a different page at the address as the right one. */
  acceptNewPage?: boolean;
  labels: Readonly<Record<string, string>>;
}

export interface WatchedAccount extends Pick<WatchedPage, 'name' | 'baseUrl' | 'unreachableAfterMs' | 'labels'> {
  reader: AccountReader;
  /** Absent if the account's calls are not watched. */
  callReader?: CallReader;
  registrationsEveryMs: number;
  togglesEveryMs: number;
  settings: AccountSettings;
  /** Name of the page whose problems explain this account's losses; null for none. */
  page: string | null;
  /** All pages that may explain a loss, most likely first; default: only that one. */
  pages?: readonly string[];
  /** By address of a site: pages that may explain a loss there. */
  sitePages?: Readonly<Record<string, readonly string[]>>;
  /** By the same addresses: components of those pages that may explain a loss; default: those that carry lines. */
  siteComponents?: Readonly<Record<string, readonly string[]>>;
}

export interface DaemonOptions extends Omit<DeliveryOptions, 'pages' | 'accounts' | 'shard' | 'observer'> {
  pages: readonly WatchedPage[];
  accounts?: readonly WatchedAccount[];
  route: Route;
  /** Calendars of people on duty with their reader; default: none. */
  rotas?: { settings: readonly RotaSettings[]; read: ReadCalendar };
  overrides: readonly SeverityOverride[];
  /** A daily digest of the current status; null for none. */
  digest: Digest | null;
  /** Recipients of the monthly report; default: none. */
  monthly?: Monthly;
  /** Receivers that are asked for a weekly proof; default: none. */
  prove?: ProofSettings;
  /** How far to import the past from before the watch; default: not at all. */
  noticeImport?: NoticeImportOptions;
  /** Reserves alert numbers if other members assign some as well; default: this daemon is alone. */
  reserveNumbers?: ReserveNumbers;
  /** Other daemons that watch other sources of the installation; default: none. */
  shard?: ShardRelation;
  /** Limits on number and age of waiting messages; default: 100 MB, and 30 days for ended alerts. */
  bounds?: Bounds;
  /**
   * Acknowledges an alert in all daemons, as people do; resolves to the reason of a refusal, or null. Default: what
   * people acknowledge at a medium stays there.
   */
  acknowledge?(number: number, by: string): Promise<string | null>;
  /** Observes what the daemon does, for tests, the demo and metrics; the log has it in any case. */
  observer?: Partial<Observer>;
}

/** Relation of this daemon to others of the installation, each for a shard of its sources. */
export interface ShardRelation {
  /**
   * Name of the shard in events about itself; null for the first, which also ends sources that are no longer watched.
   */
  part: string | null;
  /** Sources of the other daemons. */
  others: readonly { name: string; labels: Readonly<Record<string, string>> }[];
  /** True if another daemon of this process has reported that it cannot save. */
  isUnsavedElsewhere(): boolean;
}

/** How much of the past from before the watch to import. */
export interface NoticeImportOptions {
  /** Months to go back; `Infinity` for all, 0 for none. */
  months: number;
  /** Retention of the history, in milliseconds. */
  keepMs: number;
}

export interface Digest {
  due: TimeOfDay;
  /** Limited to these sources and Linewatch itself; null for all. */
  status(only: ReadonlySet<string> | null): SystemStatus;
}

export interface Observer {
  /** Called after each step of a page. */
  stepped(source: string, out: PageStepResult): void;
  /** Called with the recorded transitions of a source or of Linewatch itself. */
  entered(source: string, entered: PageStepResult['entered']): void;
  /** Called after each commit of a source or of Linewatch itself. */
  committed(source: string): void;
  sweepBegan(source: string): void;
  /** Called when a sweep has completed or failed. */
  sweepEnded(source: string): void;
  /** Called after each attempt at a delivery, successful or not. */
  attempted(attempt: Attempt): void;
}
