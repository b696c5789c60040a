/** Wording of registrations: lost, restored, flapping, and news; and of suspected provider outages. */
import type { Kind } from '../../transition/kind.ts';
import type { Transition } from '../../transition/transition.ts';
import type { CauseDetails, MassDetails, PhoneDetails, PhonesDetails } from '../../transition/details.ts';
import { countOwnLosses, formatSitePlace } from '../../alert/account-titles.ts';
import {
  ACCOUNT,
  createFact,
  type Fact,
  createLink,
  type Link,
  cleanName,
  type Setting,
  createSinceFact,
  type WordingTable,
  createWording,
  type Wording,
} from '../wording.ts';
import { formatAllOf, capitalize, formatList, toOneLine, formatCount, formatCountOf } from '../../text/plain.ts';
import { flappingWording } from './flapping.ts';
import { newsWording } from './phone-news.ts';
import {
  listAdvice,
  CALL_PROVIDER,
  formatCauseClause,
  listCauseSentences,
  listReasonSentences,
  listWorkSentences,
  nameCause,
} from './why.ts';
import {
  formatPhoneCount,
  formatRepeat,
  formatTimesWithin,
  toRepeat,
  formatCountedPhones,
  formatPartialEnd,
  describeHabits,
  describeLatePhones,
  formatOffline,
  formatOthersBeside,
  formatOthersOffline,
  formatOthersStillOffline,
  listPhoneFacts,
  listPhones,
  formatPhoneName,
  formatPhonesIn,
} from './phone-words.ts';
import { formatRemaining, describePageState, explainSuspicion } from './outage-words.ts';
import { formatPossessive, formatAuthor } from '../authors.ts';
import { formatTime, parseInstant } from '../time.ts';
import { MINUTE } from '../../text/duration.ts';

export type PhoneKind = Extract<Kind, `registration.${string}` | `outage.${string}`>;

function listLossFacts(details: PhoneDetails, setting: Setting): Fact[] {
  return [...listPhoneFacts(details), ...createSinceFact('Offline since', parseInstant(details.since), setting)];
}

function listSiteFacts({ domain: { kind, name, address } }: PhonesDetails): Fact[] {
  return kind !== 'site' || address === null || address === name
    ? []
    : createFact('Site', `${cleanName(name)} (${address})`);
}

/** Empty for an account, whose sites are counted one by one. */
function explainByNumbers({ domain, why }: MassDetails): string[] {
  return why === undefined || domain.kind === 'account' ? [] : listReasonSentences({ kind: 'named', domain, why });
}

function createCauseLink(cause: CauseDetails | undefined): Link[] {
  return createLink(formatPossessive(formatAuthor(cause?.page), 'notice'), cause?.url ?? null);
}

const MAY_BE_CUT = 'The provider’s list of registrations ends just before them: it may be cut. Call one of them.';

const MAY_BE_DELETED = 'The account’s list of extensions lacks them, too: they may have been deleted.';
const CLOSED_SITE = 'If people should be there, look at the power, the router and the internet connection.';
const CLOSED_ACCOUNT = 'If people should be there, call one of the sites.';

/**
 * Open trouble of the provider may be unrelated, so the advice is kept. While an outage is suspected, no one is sent to
 * a router.
 */
function adviseOnLoss(details: MassDetails): string[] {
  const { domain, why, sites, explained_by: cause, suspected, may_be_cut: cut } = details;
  if (details.usual !== undefined) return [domain.kind === 'site' ? CLOSED_SITE : CLOSED_ACCOUNT];
  if (suspected === true) return ['An outage at the provider is suspected.', CALL_PROVIDER];
  if (cut === true) return [MAY_BE_CUT];
  if (details.unlisted === true) return [...listCauseSentences(cause), MAY_BE_DELETED];
  const first = cause === undefined ? 'first' : 'also';
  const trouble = listCauseSentences(cause);
  switch (domain.kind) {
    case 'site':
      return [
        ...trouble,
        ...describeJointLosses(domain, why),
        `They share one external address: look ${first} at the power, the router and the internet connection there.`,
      ];
    case 'model':
    case 'firmware':
      return [...trouble, `Phones of other kinds stay registered: look ${first} at what changed for this one.`];
    case 'account':
      return [
        ...trouble,
        ...listReasonSentences({ kind: 'account', sites: why?.sites ?? sites.length }),
        ...listAdvice(cause),
      ];
  }
}

/** Sites that were lost at nearly the same time. */
function describeJointLosses(domain: MassDetails['domain'], why: MassDetails['why']): string[] {
  const others = (why?.beside ?? []).flatMap((each) => (each.together === true ? [toOneLine(each.domain.name)] : []));
  if (others.length === 0) return [];
  return [
    `${formatList([toOneLine(domain.name), ...others])} went offline within three minutes: they may share a cause.`,
  ];
}

const SUSPICION = 'outage at the provider suspected';

/** Clause after the counts in the headline; null if no provider is blamed. */
function formatBlame({ explained_by: cause, suspected }: MassDetails): string | null {
  if (cause !== undefined) return formatCauseClause(cause);
  return suspected === true ? SUSPICION : null;
}

/** Corrects a place or kind that was reported earlier and no longer fits. */
function describeCorrection({ instead_of: before }: MassDetails): string[] {
  if (before === undefined) return [];
  const what = toOneLine(formatSitePlace({ domain: before })) || 'the account as a whole';
  return [`First told as “${what}”; the losses no longer fit that.`];
}

/** Corrections in losses whose suspicion leads the message. */
export function listCorrections({ kind, source }: Transition, transitions: readonly Transition[]): string[] {
  if (kind !== 'outage.suspected') return [];
  const said = transitions.flatMap((each) =>
    each.kind === 'registration.mass' && each.source === source ? describeCorrection(each.details) : [],
  );
  return [...new Set(said)];
}

function describeSeveral(
  details: PhonesDetails,
  [from, to]: readonly [number, number],
  setting: Setting,
  at: number,
): Wording {
  const { down, total, end, others = [], not_seen: notSeen = 0 } = details;
  const own = countOwnLosses(details);
  const all = down === 0;
  const registered = to - notSeen;
  // The others may be back by now.
  const isLate = notSeen > 0 && setting.now - at >= MINUTE;
  const are = isLate ? 'were' : registered === 1 ? 'is' : 'are';
  const when = isLate ? ` at ${formatTime(at, setting.timezone, setting.now)}` : '';
  const left =
    own === 0 ? `; ${formatOthersStillOffline(others)}` : `; ${own} still offline${formatOthersBeside(details)}`;
  const part = `${formatCountedPhones(details, registered, false)} online again${left}`;
  const again = formatRepeat(toRepeat(details), setting);
  const where = toOneLine(formatSitePlace(details));
  const phones = `${notSeen === 0 ? formatAllOf(total, 'phone') : 'The lost phones'}${where === '' ? '' : ` ${where}`}`;
  const whole = `${phones} are online again${again === '' ? '' : `,${again}`}${isLate ? '' : formatNotSeen(notSeen)}`;
  const headline = all ? whole : end === undefined ? part : formatPartialEnd(end);
  return createWording(headline, formatPhonesIn(details), {
    where: ACCOUNT,
    standing: all ? 'all online again' : `${own} of ${total} offline`,
    // The alert may be the provider's, and older than the loss.
    since: parseInstant(details.since),
    sentences: [
      ...(end === undefined || !all ? [] : [formatOthersOffline(end)]),
      `${formatCountOf(registered, total, 'phone')} ${are} registered${when}; calls are not tested.`,
      ...(notSeen === 0 ? [] : ['What stays away for longer is reported.']),
    ],
    facts: [...createFact('Registered', `${from} → ${registered} of ${total}`), ...listSiteFacts(details)],
    lists: all ? [] : listPhones(details),
  });
}

/** `; 3 others are not registered now`: absent, and not offline yet. Empty for none. */
function formatNotSeen(count: number): string {
  return count === 0 ? '' : `; ${formatCount(count, 'other')} ${count === 1 ? 'is' : 'are'} not registered now`;
}

function isYours(source: string, setting: Setting): boolean {
  return setting.customer(source) === null;
}

function formatLoss(source: string, details: PhonesDetails, setting: Setting): string {
  const again = formatRepeat(toRepeat(details), setting);
  return formatOffline(details, { isYours: isYours(source, setting), again, isOver: setting.isOver });
}

export const registrationWording: WordingTable<PhoneKind> = {
  'registration.lost'({ details }, setting) {
    const thing = formatPhoneName(details);
    return createWording(`Extension ${thing} is offline${formatTimesWithin(details)}`, thing, {
      where: ACCOUNT,
      standing: 'offline',
      sentences: [
        ...describeLatePhones(details.usual, 'It'),
        ...listWorkSentences(details.work),
        formatPhoneCount(details.phones),
      ],
      links: createCauseLink(details.work),
      facts: listLossFacts(details, setting),
    });
  },

  'registration.restored'(transition, setting) {
    const { details } = transition;
    if (!('extension' in details)) {
      return describeSeveral(details, [Number(transition.from), Number(transition.to)], setting, transition.at);
    }
    const thing = formatPhoneName(details);
    const times = formatTimesWithin(details);
    return createWording(`Extension ${thing} is online again${times === '' ? '' : `,${times}`}`, thing, {
      where: ACCOUNT,
      standing: 'online again',
      // The alert may be older and about other phones as well.
      since: parseInstant(details.since),
      sentences: [formatPhoneCount(details.phones)],
      facts: listPhoneFacts(details),
    });
  },

  'registration.mass'({ source, from, to, details }, setting) {
    return createWording(formatLoss(source, details, setting), formatPhonesIn(details), {
      where: ACCOUNT,
      cause: formatBlame(details),
      standing: `${countOwnLosses(details)} of ${details.total} offline`,
      since: parseInstant(details.since),
      sentences: [
        ...describeCorrection(details),
        ...explainByNumbers(details),
        ...describeHabits(details),
        ...listWorkSentences(details.work),
        ...adviseOnLoss(details),
      ],
      facts: [...createFact('Registered', `${from} → ${to} of ${details.total}`), ...listSiteFacts(details)],
      lists: listPhones(details),
      links: createCauseLink(details.explained_by ?? details.work),
    });
  },

  'registration.removed'({ details }, setting) {
    const thing = formatPhoneName(details);
    return createWording(`Extension ${thing} was deleted from the account`, thing, {
      where: ACCOUNT,
      allClear: false,
      ending: 'Ended',
      standing: 'deleted from the account',
      sentences: ['Its phone is no longer watched.'],
      facts: listLossFacts(details, setting),
    });
  },

  ...newsWording,

  ...flappingWording,

  'outage.suspected'({ source, details }, setting) {
    const thing = formatPhonesIn(details);
    const { admitted, goes_on_in: joined } = details;
    if (joined !== undefined) {
      const own = countOwnLosses(details);
      const phones = `${formatCount(own, 'phone')} ${own === 1 ? 'is' : 'are'}`;
      return createWording(`${phones} part of #${joined.number} now`, thing, {
        where: ACCOUNT,
        since: parseInstant(details.since),
        standing: `part of #${joined.number}`,
        sentences: [
          ...(admitted === null ? explainSuspicion(details) : listCauseSentences(admitted)),
          'What becomes of these phones is told there, and when they are back.',
        ],
        facts: createFact('Offline', formatCountedPhones(details, own, isYours(source, setting))),
      });
    }
    const lost = formatLoss(source, details, setting);
    if (admitted !== null) {
      return createWording(`${lost} — ${formatCauseClause(admitted)}`, thing, {
        where: ACCOUNT,
        since: parseInstant(details.since),
        standing: `explained by #${admitted.number}`,
        sentences: [nameCause(admitted), 'Next from us: when phones return or stay lost.'],
        links: createCauseLink(admitted),
      });
    }
    return createWording(`${lost} — ${SUSPICION}`, thing, {
      where: ACCOUNT,
      since: parseInstant(details.since),
      standing: SUSPICION,
      sentences: [describePageState(details), ...explainSuspicion(details), CALL_PROVIDER],
      lists: listPhones(details),
    });
  },

  'outage.residual'({ source, details }, setting) {
    const { ended_at: page, without_resolve: isGone } = details;
    const by = formatAuthor(page);
    const why = isGone === true ? `${by}’s notice is gone without a word of an end` : `${by} says it is over`;
    return createWording(`${formatRemaining(details, isYours(source, setting))} — ${why}`, formatPhonesIn(details), {
      where: ACCOUNT,
      since: parseInstant(details.since),
      allClear: false,
      standing:
        isGone === true
          ? `still offline, and ${by} has not said that it is over`
          : `still offline though ${by} says it is over`,
      sentences: [
        isGone === true
          ? `${capitalize(by)} has not said that it is over, so the trouble may go on.`
          : 'Phones that do not come back by themselves may need to be restarted.',
      ],
      lists: listPhones(details),
    });
  },
};
