/** Possible causes of lost phones on the provider's pages, as last committed. */
import { isSaidToBeOver } from '../page/notice.ts';
import { isOperational } from '../page/page-model.ts';
import type { NoticeMemory, Snapshot } from '../page/snapshot.ts';
import { compileGlobs } from '../text/glob.ts';
import { compareSeverities } from '../transition/kind.ts';
import { pickVendor, type OfVendor, type Source, type Transition } from '../transition/transition.ts';
import { type Alert, type AlertView, toAlertView } from '../alert/alert.ts';

/** Components that carry no calls: their trouble explains no lost phone. The configuration can replace this list. */
export const WITHOUT_PHONES: readonly string[] = [
  '*SMS*',
  '*MMS*',
  '*messaging*',
  '*fax*',
  '*portal*',
  '*billing*',
  '*invoic*',
  '*payment*',
  '*recording*',
  '*report*',
  '*analytics*',
  '*statistics*',
  '*website*',
  '*web site*',
  '*porting*',
  '*mail*',
  '*webhook*',
  '*documentation*',
  '*help desk*',
  '*support desk*',
];

/** Components that carry a site's lines: on a carrier's page only their trouble explains a dead site. */
const WITH_LINES: readonly string[] = [
  '*fibre*',
  '*fiber*',
  '*dsl*',
  '*nbn*',
  '*cable*',
  '*broadband*',
  '*internet*',
  '*access*',
  '*connect*',
  '*network*',
  '*backbone*',
  '*ethernet*',
  '*mpls*',
  '*vpn*',
  '*wan*',
  '*routing*',
  '*router*',
  '*bgp*',
  '*peering*',
  '*transit*',
  '*dns*',
  '*mobile*',
  '*wireless*',
  '*satellite*',
  '*lte*',
  '*4g*',
  '*5g*',
  '*power*',
  '*electric*',
  '*data cent*',
  '*datacent*',
  '*voice*',
  '*sip*',
  '*trunk*',
  '*phone*',
  '*telephon*',
];

/** Whether trouble of a component may cost phones. Without an id, `name` is the subject of a notice. */
export type HasPhones = (component: { id?: string; name: string }) => boolean;

/** Accepts every component but these: ids, names or globs. */
export function createPhoneFilter(without: readonly string[]): HasPhones {
  const isWithout = compileGlobs(without);
  return ({ id = '', name }) => !isWithout(id) && !isWithout(name);
}

/** For the page of a site: accepts components that carry lines, or those that the configuration names for the site. */
export function createSitePhoneFilter(named: readonly string[] | undefined, without: readonly string[]): HasPhones {
  const [isNamed, isOther] = [compileGlobs(named ?? WITH_LINES), createPhoneFilter(without)];
  return ({ id, name }) => {
    if (id === undefined) return isOther({ name });
    return (isNamed(id) || isNamed(name)) && (named !== undefined || isOther({ id, name }));
  };
}

/** An open alert of the provider's page that explains why phones are lost. */
export interface Cause extends OfVendor {
  alert: AlertView & { number: number };
  /** Address of the provider's notice about it. */
  url: string | null;
  /** When Linewatch opened its alert. */
  openedAt: number;
  /** It is planned work; absent for anything else. */
  isPlanned?: true;
  /** How well it explains lost phones, against others. */
  fit: number;
}

/**
 * State of a page's alert. `over`: the page reported the end. `gone`: it ended without that, as a withdrawn notice does.
 */
export type CauseStanding = 'open' | 'over' | 'gone';

export interface ProviderView extends OfVendor {
  source: string;
  /** The state of the page as a whole; null while it cannot be read. */
  state: string | null;
  /** The likeliest first. */
  causes: Cause[];
  /** State of its alerts, by id; without those that it has forgotten. */
  standings: ReadonlyMap<string, CauseStanding>;
  /** By the address of a site: open alerts on the pages that are named for it, the likeliest first. */
  bySite?: ReadonlyMap<string, readonly Cause[]>;
}

/** Deduction from the fit for each further page of a list: among equal fits the earlier page wins. */
const LESS_LIKELY = 0.01;

/** Several pages as one; null for none. Their causes are sorted by fit, whichever page they are on. */
export function mergeProviderViews(views: readonly ProviderView[]): ProviderView | null {
  const [first, ...others] = views;
  if (first === undefined || others.length === 0) return first ?? null;
  const causes = views.flatMap((view, index) =>
    view.causes.map((cause) => ({ ...cause, fit: cause.fit - index * LESS_LIKELY })),
  );
  return { ...first, causes: causes.toSorted(byLikelihood), standings: standingsIn(views) };
}

/** Adds the pages that are named for single sites. `view`: null for an account without a page of its own. */
export function withSites(
  view: ProviderView | null,
  sites: ReadonlyMap<string, readonly ProviderView[]>,
): ProviderView | null {
  if (sites.size === 0) return view;
  const together = [...sites].map(([address, views]) => [address, mergeProviderViews(views)] as const);
  const source = view?.source ?? together[0]?.[1]?.source ?? '';
  const own = view ?? { source, state: null, causes: [], standings: new Map<string, CauseStanding>() };
  return {
    ...own,
    standings: standingsIn([own, ...together.flatMap(([, each]) => each ?? [])]),
    bySite: new Map(together.map(([address, each]) => [address, each?.causes ?? []])),
  };
}

function standingsIn(views: readonly ProviderView[]): ProviderView['standings'] {
  return new Map(views.flatMap(({ standings }) => [...standings]));
}

/** Null where no watched page knows the alert: its page is no longer watched, or has a new baseline. */
export function findCauseStanding(provider: ProviderView | null, alert: string): CauseStanding | null {
  return provider?.standings.get(alert) ?? null;
}

/** Causes on the pages of a site for a loss there; empty if no page is named for it. */
export function listCausesAtSite(
  provider: ProviderView | null,
  { kind, address }: { kind: string; address: string | null },
): readonly Cause[] {
  return (kind === 'site' ? provider?.bySite?.get(address ?? '') : undefined) ?? [];
}

/** The likeliest cause on the pages of a site, for a mass loss at that site. */
export function findSiteCause(provider: ProviderView | null, transition: Transition): Cause | null {
  return transition.kind === 'registration.mass'
    ? (listCausesAtSite(provider, transition.details.domain)[0] ?? null)
    : null;
}

/** The cause with this alert, on any page. */
export function findCauseByAlert(provider: ProviderView | null, alert: string | null | undefined): Cause | null {
  if (provider === null) return null;
  const all = [...provider.causes, ...[...(provider.bySite?.values() ?? [])].flat()];
  return all.find((each) => each.alert.id === alert) ?? null;
}

/**
 * Fields that most causes lack: the name of the page that publishes it, if that is not the account's own page or belongs
 * to another vendor, and that it is planned work.
 */
export function toCauseFields(
  provider: ProviderView | null,
  { alert: { source }, vendor, isPlanned }: Cause,
): { page?: string; planned?: true } {
  const isProviders = provider === null || (provider.source === source && vendor !== true);
  return { ...(!isProviders && { page: source }), ...(isPlanned === true && { planned: true }) };
}

/** `hasPhones`: whether trouble of a component may cost phones. */
export function createProviderView(
  page: Pick<Source, 'name' | 'vendor'>,
  snapshot: Snapshot,
  alerts: readonly Alert[],
  hasPhones: HasPhones,
): ProviderView {
  const open = alerts.filter((alert) => alert.status === 'open');
  const notices = new Map((snapshot.notices ?? []).map((notice) => [notice.id, notice]));
  const down = new Set(
    (snapshot.components ?? [])
      .filter((component) => !isOperational(component.state) && hasPhones(component))
      .map(({ id }) => `component/${id}`),
  );
  const explains = (alert: Alert): boolean => {
    if (alert.muted) return false;
    if (alert.family !== 'notice') return alert.family === 'trouble' && alert.subjects.some((each) => down.has(each));
    const notice = notices.get(alert.notice ?? '');
    return notice !== undefined && isUnderWay(notice) && concernsPhones(notice, hasPhones);
  };
  const causes = open.filter(explains).map((alert): Cause => {
    const notice = notices.get(alert.notice ?? '') ?? null;
    return {
      alert: { ...toAlertView(alert), number: alert.number },
      url: notice?.url ?? null,
      openedAt: alert.openedAt,
      ...(notice?.type === 'planned' && { isPlanned: true as const }),
      fit: fitOf(alert, notice, hasPhones),
      ...pickVendor(page),
    };
  });
  const blind = snapshot.health.unreachable || snapshot.health.blind['page'] !== undefined;
  return {
    source: page.name,
    ...pickVendor(page),
    state: blind ? null : (snapshot.page?.state ?? null),
    causes: causes.toSorted(byLikelihood),
    standings: new Map(alerts.flatMap((alert) => standingIn(alert, notices))),
  };
}

/** Empty for an alert whose notice is forgotten. Trouble without a notice is over when the page shows it as well. */
function standingIn(
  { id, status, family, notice }: Alert,
  notices: ReadonlyMap<string, NoticeMemory>,
): [id: string, standing: CauseStanding][] {
  if (status === 'open') return [[id, 'open']];
  if (family !== 'notice') return [[id, 'over']];
  const followed = notices.get(notice ?? '');
  return followed === undefined ? [] : [[id, isSaidToBeOver(followed) ? 'over' : 'gone']];
}

/** Planned work that has not begun explains nothing. */
function isUnderWay(notice: NoticeMemory): boolean {
  if (notice.closedAt !== null) return false;
  return notice.type !== 'planned' || notice.state === 'underway' || notice.timeline === 'present';
}

/** Judges a notice without components by its subject. */
function concernsPhones({ components, subject }: NoticeMemory, hasPhones: HasPhones): boolean {
  if (components === null || components.length === 0) return hasPhones({ name: subject });
  return components.some(hasPhones);
}

/** Prefers incidents to planned work, then notices that name a component of phones, then critical ones. */
function fitOf({ severity }: Alert, notice: NoticeMemory | null, hasPhones: HasPhones): number {
  const isIncident = notice === null || notice.type === 'unplanned';
  const namesPhones = notice === null || notice.components?.some(hasPhones) === true;
  return (isIncident ? 4 : 0) + (namesPhones ? 2 : 0) + (severity === 'critical' ? 1 : 0);
}

function byLikelihood(a: Cause, b: Cause): number {
  return b.fit - a.fit || compareSeverities(a.alert.severity, b.alert.severity) || b.openedAt - a.openedAt;
}
