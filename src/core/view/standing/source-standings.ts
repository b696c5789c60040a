/** Sources as the picture shows them, each with its alerts. */
import type { AccountState } from '../../engine/account-kind.ts';
import type { SourceState } from '../../engine/page-kind.ts';
import { listUnread } from '../../observation/health.ts';
import type { Hours } from '../../text/hours.ts';
import { pickVendor } from '../../transition/transition.ts';
import { accountStanding, withChanges } from './account-standing.ts';
import type { CallsView } from './calls-view.ts';
import { isUnknownPart, readingOf } from '../verdict/known.ts';
import { pageStanding } from './page-standing.ts';
import type { AccountView, AlertStanding, PageView, SourceReading, SourceStanding, SourceView } from '../picture.ts';

/** A source as it is kept, by whoever watches it or on disk, and what the configuration says of it. */
export interface KnownSource extends SourceReading, Pick<SourceView, 'name' | 'vendor'> {
  state: SourceState | AccountState;
  /** What went wrong inside at the last sweep; null for nothing. */
  surprise: string | null;
  /** What matchers can ask about it. */
  labels: Readonly<Record<string, string>>;
  /** What people call an account; default: what the other side calls itself, else its name. */
  called?: string;
  /** The names an account has for external addresses. */
  sites: Readonly<Record<string, string>>;
  /** When the toggles of an account should be on, by what the configuration calls them; default: not known. */
  hours?: ReadonlyMap<string, Hours>;
  /** Absent where the calls of an account are not read. */
  calls?: CallsView;
}

export interface StandingFacts {
  now: number;
  sources: readonly KnownSource[];
  /** A source could not be shown. */
  failed(source: string, error: unknown): void;
}

export type Standings = readonly { view: SourceView; alerts: AlertStanding[] }[];

export function standingsOf({ sources, failed, now }: StandingFacts): Standings {
  return sources.map((known) => {
    const { source, alerts } = standingOrNot(known, failed);
    const view = sourceView(known, source, now);
    return { view, alerts: isUnknownPart(view, 'registrations') ? alerts.map(withoutPhones) : alerts };
  });
}

/** As they were when last read they are not counted now. */
function withoutPhones(standing: AlertStanding): AlertStanding {
  const { phones: _, ...shown } = standing.shown;
  return { ...standing, shown };
}

/** A source that cannot be shown takes no other with it, nor the picture. */
function standingOrNot({ name, state, sites }: KnownSource, failed: StandingFacts['failed']): SourceStanding {
  try {
    return isAccount(state) ? accountStanding(state, sites) : pageStanding(state);
  } catch (error) {
    failed(name, error);
    return { source: { ...UNSHOWN, ...(isAccount(state) ? UNKNOWN_ACCOUNT : UNKNOWN_PAGE) }, alerts: [] };
  }
}

export function isAccount(state: SourceState | AccountState): state is AccountState {
  return 'phones' in state.snapshot;
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
  const { name, state, surprise } = known;
  return {
    ...(source.type === 'account' ? withChanges(source, known.hours, now) : source),
    ...(known.calls !== undefined && { calls: known.calls }),
    name,
    called: known.called ?? source.title ?? name,
    ...(known.labels['customer'] !== undefined && { customer: known.labels['customer'] }),
    ...pickVendor(known),
    baseUrl: state.baseUrl,
    ...readingOf(known),
    unreachable: state.snapshot.health.unreachable,
    ...((state.snapshot.refused ?? null) !== null && { isRefused: true as const }),
    blind: [...(surprise === null ? [] : [`the sweep: ${surprise}`]), ...listUnread(state.snapshot)],
  };
}
