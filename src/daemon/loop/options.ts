/** What a daemon is made of: everything it needs is handed in, so that tests and the demo run the same one. */
import type { AccountSettings } from '../../core/account/settings.ts';
import type { SeverityOverride } from '../../core/alert/severity.ts';
import type { Route } from '../../core/alert/route.ts';
import type { ComponentFilter } from '../../core/alert/watch.ts';
import type { PageStepped } from '../../core/engine/page-kind.ts';
import type { TimeOfDay } from '../../core/text/hours.ts';
import type { OfVendor } from '../../core/transition/transition.ts';
import type { Picture } from '../../core/view/picture.ts';
import type { History } from '../../history/history-writer.ts';
import type { Log } from '../../log/log.ts';
import type { Bounds } from '../../core/outbox/bound.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import type { MaintenanceSettings } from '../../core/page/maintenance.ts';
import type { Clock } from '../common/clock.ts';
import type { ReserveNumbers } from '../common/alert-numbers.ts';
import type { Attempt } from '../delivery/delivery.ts';
import type { Documents } from '../common/documents.ts';
import type { Monthly } from '../recording/monthly.ts';
import type { Progress } from '../common/progress.ts';
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
  /** Where nothing says how a notice ended: how long it has to be absent from complete answers until that is told. */
  missingAfterMs?: number;
  /** Another page that was found at the address is the right one. */
  acceptNewPage?: boolean;
  labels: Readonly<Record<string, string>>;
}

export interface WatchedAccount {
  name: string;
  baseUrl: string;
  reader: AccountReader;
  /** Absent where its calls are not watched. */
  callReader?: CallReader;
  registrationsEveryMs: number;
  togglesEveryMs: number;
  unreachableAfterMs: number;
  settings: AccountSettings;
  /** Name of the page whose trouble explains this account's; null for none. */
  page: string | null;
  /** All pages that may explain a loss, the likeliest first; default: only that one. */
  pages?: readonly string[];
  /** By the address of a site: the pages that may explain a loss there. */
  sitePages?: Readonly<Record<string, readonly string[]>>;
  /** By the same addresses: components of those pages whose trouble alone explains; default: what carries lines. */
  siteComponents?: Readonly<Record<string, readonly string[]>>;
  labels: Readonly<Record<string, string>>;
}

export interface DaemonOptions {
  pages: readonly WatchedPage[];
  accounts?: readonly WatchedAccount[];
  receivers: readonly Receiver[];
  route: Route;
  /** Calendars of people on duty, and how they are read; default: there are none. */
  rotas?: { settings: readonly RotaSettings[]; read: ReadCalendar };
  overrides: readonly SeverityOverride[];
  /** How everything stands, told every day; null for never. */
  digest: Digest | null;
  /** Who gets the report of each month; default: nobody. */
  monthly?: Monthly;
  documents: Documents;
  /** What happened is kept there; default: nowhere. */
  history?: History;
  /** What is read into it of what was before the watch; default: nothing. */
  past?: PastOptions;
  clock: Clock;
  /** Who hears that its loops get on; default: nobody. */
  progress?: Progress | null;
  random(): number;
  log: Log;
  /** For alerts, where others of the installation give numbers as well; default: nobody does. */
  reserveNumbers?: ReserveNumbers;
  /** Others watch other sources of the same installation; default: nobody does. */
  among?: Among;
  /** How much may wait, and how long; default: 100 MB, and 30 days for what has ended. */
  bounds?: Bounds;
  /** What happens, for tests, the demo and metrics; the log hears of it anyway. */
  observer?: Partial<Observer>;
}

/** Of several daemons of one installation, each for a group of its sources. */
export interface Among {
  /** Which, in what it tells of itself; null for the first, which also ends what nobody watches any more. */
  part: string | null;
  /** What the others watch. */
  others: readonly { name: string; labels: Readonly<Record<string, string>> }[];
  /** Another of them in this process cannot save either, and has told it. */
  isUnsavedElsewhere(): boolean;
}

/** What is read of what was before the watch. */
export interface PastOptions {
  /** How many months back; `Infinity` for all, 0 for nothing. */
  months: number;
  /** How long the history keeps it, milliseconds. */
  keepMs: number;
}

export interface Digest {
  due: TimeOfDay;
  /** Of these sources and of Linewatch itself; null for all. */
  picture(only: ReadonlySet<string> | null): Picture;
}

export interface Observer {
  /** After each step of a page. */
  stepped(source: string, out: PageStepped): void;
  /** What was told or recorded, of a source or of Linewatch itself. */
  entered(source: string, entered: PageStepped['entered']): void;
  /** Something of a source, or of Linewatch itself, was committed. */
  committed(source: string): void;
  sweepBegan(source: string): void;
  /** It came through to its end, or failed. */
  sweepEnded(source: string): void;
  /** After each attempt at a delivery, whatever became of it. */
  attempted(attempt: Attempt): void;
}
