/**
 * Decides what a loss of phones has to do with the provider. Its page explains a loss, or does not yet; phones may still be
 * lost when its notice has ended or disappeared. A loss at one site or of one model, with healthy phones elsewhere, has a
 * local cause.
 */
import { ACCOUNT } from '../account/domain.ts';
import { takeCensus, type Census } from '../account/census.ts';
import type { AccountSettings } from '../account/settings.ts';
import type { AccountSnapshot, LossGroup, PhoneMemory } from '../account/account-snapshot.ts';
import { type ObservationPace, describePhones, describeRepeat, createRoster } from '../account/drafts.ts';
import { pickVendor, type DraftOf } from '../transition/transition.ts';
import type { OutageDetails } from '../transition/details.ts';
import { isGoingOn, isToldOften, type AccountAlert } from './account-alert.ts';
import { toEndingFields, computePublicationDelay, findBlamedPage } from './account-because.ts';
import {
  findCauseByAlert,
  listCausesAtSite,
  toCauseFields,
  findCauseStanding,
  type Cause,
  type ProviderView,
} from './cause.ts';
import {
  hasMovedTooOften,
  listHigherPlaces,
  findOutageLeads,
  listRecentMoves,
  type Move,
  type SharedLoss,
} from './correlate.ts';
import {
  isLocal,
  isWidespread,
  createRecentLossCheck,
  findHitTime,
  findPageTrouble,
  createTally,
  type Neighbours,
  type PageTrouble,
} from './account-loss-count.ts';

export interface OutageContext {
  settings: AccountSettings;
  provider: ProviderView | null;
  /** Epoch milliseconds. */
  now: number;
  /** The other accounts of the same page. */
  neighbours: Neighbours;
  /** The list of phones of this sweep is complete. */
  fresh: boolean;
}

export type OutageDraft = DraftOf<'outage.suspected'> | DraftOf<'outage.residual'>;

interface JudgedOutage {
  alert: AccountAlert;
  draft: OutageDraft;
  /** Its losses move to another alert, which reports this draft too. */
  move?: Move;
  /** Default: at once. */
  pace?: ObservationPace;
}

/** Drafts the transitions about causes that are due now, and records them in the alerts. */
export function judgeOutages(
  alerts: readonly AccountAlert[],
  snapshot: AccountSnapshot,
  context: OutageContext,
): JudgedOutage[] {
  const all = snapshot.phones ?? [];
  const lost = all.filter(({ lost: loss }) => loss !== null);
  if (lost.length === 0) return [];
  const open = alerts.filter(isGoingOn);
  const { settings, neighbours } = context;
  const isHit = isWidespread(createTally(snapshot, alerts, settings, neighbours), neighbours, context.provider);
  const isRecent = createRecentLossCheck(all, snapshot.clock);
  const census = takeCensus(all, settings.sites);
  const trouble = findPageTrouble(context.provider, open);
  const groups = new Map(snapshot.groups.map((group) => [group.id, group]));
  const lostBy = Map.groupBy(lost, (phone) => phone.lost?.group);
  // Losses that were explained before come first: those explained now join them.
  const inOrder = open.toSorted(
    (a, b) => Number(a.explainedBy === null) - Number(b.explainedBy === null) || a.number - b.number,
  );
  return inOrder.flatMap((alert) => {
    const parts = open.filter((other) => other !== alert && other.id === alert.id);
    if (listRecentMoves(alert, snapshot.clock).length === 0) delete alert.moves;
    const group = groups.get(alert.group);
    const mine = lostBy.get(alert.group) ?? [];
    if (group === undefined || mine.length === 0) return [];
    // An older loss is no part of an outage that affects several accounts now.
    const widespread = isHit && mine.some(isRecent);
    // A loss at one place was reported as trouble of that place, so a later notice confirms no suspicion.
    const isPlaced = group.mass && group.domain.kind !== ACCOUNT.kind && !alert.suspected && !widespread;
    const hitAt = isPlaced || alert.explainedBy !== null ? null : findHitTime(mine, census);
    if (hitAt !== null) alert.widespreadAt ??= hitAt;
    return judgeAndMove({ alert, parts, open, group, mine, snapshot, context, trouble, widespread, census });
  });
}

/** Up to this many phones of many are few. */
const FEW_PHONES = 2;

/** A loss of few phones, or of single ones, moves with one message: that they are part of the other alert, and why. */
function isFew({ group, mine }: JudgedLoss): boolean {
  return mine.length <= FEW_PHONES || !group.mass;
}

/** Judges a loss, and moves it to another alert if it turns out to be part of that one. */
function judgeAndMove(judged: JudgedLoss): JudgedOutage[] {
  const { alert, group, mine, context } = judged;
  // A loss that begins again keeps its alert: a younger suspicion of other accounts does not take it over.
  const before = { ...alert, suspected: alert.suspected || group.again !== undefined };
  const draft = judge(judged);
  const move = moveOf(judged, before);
  if (move === null) {
    return draft === null ? [] : [{ alert, draft, ...withPace(draft, before, judged) }];
  }
  const { into } = move;
  const known = findCauseByAlert(context.provider, alert.explainedBy);
  const details = detailsOf(judged, known);
  const goesOn = { ...details, goes_on_in: { alert: into.id, number: into.number } };
  const subject = 'registrations';
  const handover = { subject, kind: 'outage.suspected', from: null, to: mine.length, details: goesOn } as const;
  return [
    { alert, draft: handover },
    { alert, move, draft: draft ?? suspected(judged, known), ...(isFew(judged) && { pace: 'later' as const }) },
  ];
}

/**
 * At the provider's end phones come back together: after many messages the remaining ones wait some minutes for them.
 * `before`: the alert before it was judged.
 */
function withPace({ kind }: OutageDraft, before: AccountAlert, judged: JudgedLoss): Pick<JudgedOutage, 'pace'> {
  const { alert, open, context } = judged;
  if (kind === 'outage.residual') return isToldOften(alert.id, open, context.now) ? { pace: 'shortly' } : {};
  return isMinorSuspicion(before, judged) ? { pace: 'later' } : {};
}

/**
 * Few of many phones, which people know to be offline: that the provider is suspected comes with the next message, and so
 * does the notice that confirms what they have read already.
 */
function isMinorSuspicion(before: AccountAlert, { alert, mine, census }: JudgedLoss): boolean {
  const isWaiting = before.held.some(({ transition }) => transition.kind === 'outage.suspected');
  const hasReadSuspicion = before.suspected && before.explainedBy === null && !isWaiting;
  if (alert.residual || (alert.explainedBy !== null && !hasReadSuspicion)) return false;
  return mine.length <= FEW_PHONES && 2 * mine.length < census.count(ACCOUNT).total;
}

/** Null for a loss that stays in its alert. */
function moveOf(judged: JudgedLoss, before: AccountAlert): Move | null {
  const { alert, open, group, widespread, snapshot, context, census } = judged;
  const { neighbours, provider } = context;
  if (!alert.suspected || alert.awaitsSummary || isLocal(group, census, neighbours, judged.trouble)) return null;
  const cause = provider?.causes.find((each) => each.alert.id === alert.explainedBy) ?? null;
  const own: SharedLoss[] = open.filter((other) => other !== alert && other.explainedBy !== null);
  const [higher] = listHigherPlaces(
    {
      alert,
      before,
      cause: cause?.alert ?? null,
      isCauseOlder: cause !== null && cause.openedAt <= group.startedAt,
      isWidespread: widespread,
    },
    { lead: neighbours.lead, outages: findOutageLeads([...neighbours.outages.values(), ...own]) },
  );
  if (higher === undefined) return null;
  const { clock } = snapshot;
  if (hasMovedTooOften(alert, clock)) {
    alert.refusedMove ??= { reason: 'too_many_moves', into: higher.into.number };
    return null;
  }
  return { ...higher, moves: [...listRecentMoves(alert, clock), clock] };
}

/** Whether the remaining losses of a group are a mass loss by the account's settings. */
export function createRemainderCheck(
  { phones }: AccountSnapshot,
  { registrations, sites }: AccountSettings,
): (group: string) => 'mass' | 'few' {
  const all = phones ?? [];
  const census = takeCensus(all, sites);
  let lostBy: Map<string | undefined, PhoneMemory[]> | null = null;
  return (group) => {
    lostBy ??= Map.groupBy(all, ({ lost }) => lost?.group);
    const mine = lostBy.get(group) ?? [];
    const isPartOfMass = census.massive(mine, registrations.mass);
    return mine.some(isPartOfMass) ? 'mass' : 'few';
  };
}

interface JudgedLoss {
  alert: AccountAlert;
  /** The other parts that its account has in the same alert. */
  parts: readonly AccountAlert[];
  /** All alerts of lost phones that its account has open. */
  open: readonly AccountAlert[];
  group: LossGroup;
  mine: readonly PhoneMemory[];
  snapshot: AccountSnapshot;
  context: OutageContext;
  /** As before any loss of this step was judged. */
  trouble: PageTrouble;
  widespread: boolean;
  census: Census;
}

function judge(judged: JudgedLoss): OutageDraft | null {
  const { alert, group, mine, context, widespread, census } = judged;
  const { provider } = context;
  forgetUnwatched(alert, provider);
  if (isLocal(group, census, context.neighbours, judged.trouble)) {
    const [ofSite = null] = listCausesAtSite(provider, group.domain);
    if (isOfSite(alert, judged)) return ofSite?.alert.id === alert.explainedBy ? null : afterItsEnd(judged);
    if (ofSite !== null && alert.cause !== ofSite.alert.id && alert.id !== ofSite.alert.id) {
      return explain(judged, ofSite);
    }
    // The loss looked larger at first: the provider's open alerts do not explain it.
    alert.explainedBy = null;
    alert.suspected = false;
    return null;
  }
  const causes = provider?.causes ?? [];
  const known = causes.find((each) => each.alert.id === alert.explainedBy) ?? null;
  if (alert.explainedBy !== null) {
    const better = causes.find((each) => isBetter(each, known, alert, group));
    if (better !== undefined) return explain(judged, better);
    // Another open notice explains the loss: the ended one has left nothing behind.
    const other = findEnding(judged) !== null && (alert.outage || widespread) ? findOtherCause(causes, alert) : null;
    return other === null ? afterItsEnd(judged) : explain(judged, other);
  }
  const cause = findOtherCause(causes, alert);
  if (cause !== null) return alert.outage || widespread ? explain(judged, cause) : null;
  const scattered = group.mass && group.domain.kind === ACCOUNT.kind && isScattered(mine, census);
  if (alert.suspected || !(scattered || widespread)) return null;
  alert.suspected = true;
  alert.outage = true;
  if (scattered) alert.scattered = true;
  return suspected(judged, null);
}

/** Two sites of four or more may each have lost a line, or one that they share: it is too early to suspect the provider. */
function isScattered(lost: readonly PhoneMemory[], census: Census): boolean {
  const hit = census.sites(lost).length;
  return hit > 2 || (hit === 2 && census.allSites().length < 4);
}

/**
 * Clears a cause whose page is no longer watched. From here on the loss is judged as any other, and people get reminders
 * of it.
 */
function forgetUnwatched(alert: AccountAlert, provider: ProviderView | null): void {
  if (alert.explainedBy === null || findCauseStanding(provider, alert.explainedBy) !== null) return;
  alert.explainedBy = null;
  alert.suspected = false;
}

/** Whether a page that is named for its site was reported as the cause. */
function isOfSite(alert: AccountAlert, { context: { provider }, group }: JudgedLoss): boolean {
  const { kind, address } = group.domain;
  return alert.explainedBy !== null && kind === 'site' && provider?.bySite?.has(address ?? '') === true;
}

/** An open alert of the provider that was not yet the cause of this one. */
function findOtherCause(causes: readonly Cause[], { id, cause }: AccountAlert): Cause | null {
  return causes.find(({ alert }) => alert.id !== id && alert.id !== cause) ?? null;
}

/** Draft for the end of the cause; null before that. */
function afterItsEnd(judged: JudgedLoss): OutageDraft | null {
  const standing = findEnding(judged);
  return standing === null ? null : residual(judged, standing);
}

/** How the cause has ended; null while it is open, and until the phones are read after its end. */
function findEnding({ alert, context }: JudgedLoss): 'over' | 'gone' | null {
  const standing = findCauseStanding(context.provider, alert.explainedBy ?? '');
  return standing === null || standing === 'open' || !context.fresh ? null : standing;
}

/** Draft for phones that are still lost after the end of their cause. */
function residual(judged: JudgedLoss, ending: 'over' | 'gone'): OutageDraft {
  const { alert, mine } = judged;
  const { page } = findBlamedPage(alert.because);
  alert.explainedBy = null;
  alert.residual = true;
  // The part of the provider is reported: these phones alone are no reason to suspect it once more.
  alert.suspected = true;
  if (ending === 'gone') alert.withoutResolve = true;
  else delete alert.withoutResolve;
  return {
    subject: 'registrations',
    kind: 'outage.residual',
    from: null,
    to: mine.length,
    details: { ...detailsOf(judged, null), ...(page !== undefined && { ended_at: page }), ...toEndingFields(alert) },
  };
}

/** Whether a cause published after the loss fits better than the reported one, and replaces it. */
function isBetter(cause: Cause, known: Cause | null, alert: AccountAlert, group: LossGroup): boolean {
  if (cause.alert.id === alert.explainedBy || cause.alert.id === alert.id) return false;
  return known !== null && cause.openedAt > group.startedAt && cause.fit > known.fit;
}

/** Null if another part of the same alert has reported the cause. */
function explain(judged: JudgedLoss, cause: Cause): OutageDraft | null {
  const { alert, parts } = judged;
  const isTold = parts.some(({ explainedBy }) => explainedBy === cause.alert.id);
  alert.explainedBy = cause.alert.id;
  alert.cause = cause.alert.id;
  alert.confirmed = true;
  alert.suspected = true;
  return isTold ? null : suspected(judged, cause);
}

function suspected(judged: JudgedLoss, cause: Cause | null): OutageDraft {
  const details = detailsOf(judged, cause);
  return { subject: 'registrations', kind: 'outage.suspected', from: null, to: judged.mine.length, details };
}

function detailsOf({ alert, group, mine, snapshot, context, census }: JudgedLoss, cause: Cause | null): OutageDetails {
  const { provider } = context;
  const domain = group.mass ? group.domain : ACCOUNT;
  const { number = 0, id = '', title = '' } = cause?.alert ?? {};
  return {
    ...describePhones(createRoster(census, snapshot.extensions), domain, mine, group.startedAt),
    ...describeRepeat(group),
    page:
      provider === null || provider.state === null
        ? null
        : { source: provider.source, state: provider.state, ...pickVendor(provider) },
    admitted:
      cause === null
        ? null
        : {
            alert: id,
            number,
            title,
            url: cause.url,
            minutes_later: computePublicationDelay(cause, alert),
            ...toCauseFields(provider, cause),
          },
    scattered: alert.scattered === true,
  };
}
