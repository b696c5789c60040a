/** Sources with their alerts for the status. */
import type { AccountState } from '../../engine/account-kind.ts';
import type { SourceState } from '../../engine/page-kind.ts';
import { listUnread } from '../../observation/health.ts';
import type { Hours } from '../../text/hours.ts';
import { pickVendor } from '../../transition/transition.ts';
import { describeAccountStanding, withChanges } from './account-standing.ts';
import { isAccountSum, type AccountSum } from './account-sum.ts';
import type { CallsView } from '../status-schema.ts';
import { isUnknownPart, selectReading } from '../verdict/known.ts';
import { describePageStanding } from './page-standing.ts';
import type {
  AccountView,
  AlertStanding,
  PageView,
  SourceReading,
  SourceStanding,
  SourceView,
} from '../system-status.ts';

/** State of a source, from its daemon or from disk, with its configuration. */
export interface KnownSource extends SourceReading, Pick<SourceView, 'name' | 'vendor'> {
  state: SourceState | AccountState | AccountSum;
  /** Unexpected error of the last sweep; null for none. */
  loopFailure: string | null;
  /** Values that matchers can refer to. */
  labels: Readonly<Record<string, string>>;
  /** Name of an account for people; default: its own title, else its configured name. */
  called?: string;
  /** Names of an account's external addresses. */
  sites: Readonly<Record<string, string>>;
  /** Status pages of the lines of its sites, by the site's name; default: none is named. */
  sitePages?: ReadonlyMap<string, readonly string[]>;
  /** Status pages of an account as a whole; default: none. */
  statusPages?: readonly string[];
  /** Expected hours of an account's toggles, by configured id or name; default: unknown. */
  hours?: ReadonlyMap<string, Hours>;
  /** Absent if the calls of an account are not watched. */
  calls?: CallsView;
}

export interface StandingFacts {
  now: number;
  sources: readonly KnownSource[];
  /** Called for a source that cannot be displayed. */
  failed(source: string, error: unknown): void;
}

export type Standings = readonly { view: SourceView; alerts: AlertStanding[] }[];

export function listStandings({ sources, failed, now }: StandingFacts): Standings {
  return sources.map((known) => {
    const { source, alerts } = describeStanding(known, failed);
    const view = sourceView(known, source, now);
    return { view, alerts: isUnknownPart(view, 'registrations') ? alerts.map(withoutPhones) : alerts };
  });
}

/** Phones of an old reading do not count now. */
function withoutPhones(standing: AlertStanding): AlertStanding {
  const { phones: _, ...shown } = standing.shown;
  return { ...standing, shown };
}

/** Memoised by state, which is immutable and rarely changes between two looks; `sites`: of the configuration then. */
const described = new WeakMap<KnownSource['state'], { sites: KnownSource['sites']; standing: SourceStanding }>();

/** A source that cannot be displayed affects neither others nor the status as a whole. */
export function describeStanding(
  { name, state, sites }: Pick<KnownSource, 'name' | 'state' | 'sites'>,
  failed: StandingFacts['failed'],
): SourceStanding {
  if (isAccountSum(state)) return state.standing;
  try {
    const known = described.get(state);
    if (known?.sites === sites) return known.standing;
    const standing = isAccount(state) ? describeAccountStanding(state, sites) : describePageStanding(state);
    described.set(state, { sites, standing });
    return standing;
  } catch (error) {
    failed(name, error);
    return { source: { ...UNSHOWN, ...(isAccount(state) ? UNKNOWN_ACCOUNT : UNKNOWN_PAGE) }, alerts: [] };
  }
}

export function isAccount(state: KnownSource['state']): state is AccountState | AccountSum {
  return isAccountSum(state) || 'phones' in state.snapshot;
}

const UNSHOWN = { title: null, state: 'Cannot be shown', isWell: false, url: null, facts: [], troubled: [] };
const UNKNOWN_PAGE: PageView = {
  type: 'status page',
  page: null,
  components: { total: 0, notOperational: [], all: [] },
  notices: [],
};
const NO_HOURS: AccountView['schedule'] = { on_schedule: 0, late: 0, off_schedule: 0, missing: 0 };
const UNKNOWN_ACCOUNT: AccountView = { type: 'account', unread: [], phones: null, toggles: null, schedule: NO_HOURS };

function sourceView(known: KnownSource, source: SourceStanding['source'], now: number): SourceView {
  const { name, state, loopFailure } = known;
  return {
    ...(source.type === 'account' ? withChanges(source, known.hours, now) : source),
    ...(known.calls !== undefined && { calls: known.calls }),
    ...(known.sitePages !== undefined && known.sitePages.size > 0 && { sitePages: known.sitePages }),
    ...(known.statusPages !== undefined && known.statusPages.length > 0 && { statusPages: known.statusPages }),
    name,
    called: known.called ?? source.title ?? name,
    ...(known.labels['customer'] !== undefined && { customer: known.labels['customer'] }),
    ...pickVendor(known),
    baseUrl: state.baseUrl,
    ...selectReading(known),
    unreachable: state.snapshot.health.unreachable,
    ...((state.snapshot.refused ?? null) !== null && { isRefused: true as const }),
    blind: [...(loopFailure === null ? [] : [`the sweep: ${loopFailure}`]), ...listUnread(state.snapshot)],
  };
}
