/** Wording of calls: missed callers, charges, suspected fraud, and routes and skillsets that reach no one. */
import { CALL_REPORTS, formatDestinations, formatRoute } from '../../alert/calls-titles.ts';
import { HOUR } from '../../text/duration.ts';
import { formatAmount, formatRange } from '../../text/money.ts';
import { formatList, toOneLine, formatCount, formatCountOf } from '../../text/plain.ts';
import { formatNumber } from '../../text/phone-number.ts';
import { formatCountry } from '../../text/calling-codes.ts';
import type {
  CallerDetails,
  FraudDetails,
  MissedDetails,
  RouteDetails,
  AgentsDetails,
} from '../../transition/call-details.ts';
import type { Transition } from '../../transition/transition.ts';
import { formatClockTime, formatElapsed, parseInstant, formatShortTime, formatTimeWindow } from '../time.ts';
import {
  ACCOUNT,
  createFact,
  createList,
  cleanName,
  createWording,
  type Setting,
  type WordingTable,
} from '../wording.ts';

export type CallsWordingKind =
  | 'calls.missed'
  | 'calls.stale'
  | 'spend.limit'
  | 'spend.forecast'
  | 'fraud.suspected'
  | 'route.dead'
  | 'agents.none';

export const callsWording: WordingTable<CallsWordingKind> = {
  'calls.missed'({ to, details }, setting) {
    const sentences = [
      ...(details.called_back === 0 ? [] : [formatCalledBack(details)]),
      formatLowerBound(details),
      ...describeOmittedCalls(details),
    ];
    return createWording(formatMissed(to, details, setting), 'callers of the outage', {
      where: ACCOUNT,
      sentences,
      lists: createList('Callers who were not answered', formatCallers(details, setting), false),
    });
  },

  'calls.stale'({ to, details: { report, since } }, setting) {
    const thing = `report of ${CALL_REPORTS[report]}`;
    const last = since === null ? null : parseInstant(since);
    const still =
      last === null
        ? `has shown no call for ${formatCount(to, 'hour')}`
        : `shows nothing new since ${formatShortTime(last, setting.timezone, setting.now)}`;
    return createWording(`The ${thing} ${still}`, thing, {
      where: ACCOUNT,
      sentences: [
        'In each of the last four weeks it had calls at this time. What happens meanwhile may be missing from missed ' +
          'callers, charges and suspected fraud. On a day without work this is as it should be.',
      ],
    });
  },

  'spend.limit'({ to, details }, setting) {
    const { period, currency, spent, limit, usual, as_of: at } = details;
    const thing = `call charges ${period === 'day' ? 'today' : 'this month'}`;
    if (to === null) return createWording(`The ${period} of these call charges is over`, thing, { where: ACCOUNT });
    const by = period === 'day' ? `, by ${formatClockTime(parseInstant(at) ?? setting.now, setting.timezone)}` : '';
    const range = usual === null ? '' : `; on such days usually ${formatRange(usual.least, usual.most)}`;
    return createWording(
      `${currency} ${formatAmount(spent)} of ${formatAmount(limit)} in ${thing}${by}${range}`,
      thing,
      {
        where: ACCOUNT,
        standing: `${to} % of the limit`,
        sentences: ['Call charges only, as billed so far.'],
      },
    );
  },

  'spend.forecast'({ details: { currency, low, high, limit, spent } }) {
    return createWording(
      `The month will reach ${currency} ${formatRange(low, high)} of ${formatAmount(limit)} (8 in 10)`,
      'call charges this month',
      {
        where: ACCOUNT,
        sentences: ['Call charges only, as billed so far, and as the same weekdays went before.'],
        facts: createFact('Charged so far', `${currency} ${formatAmount(spent)}`),
      },
    );
  },

  'fraud.suspected'({ source, to, details }, setting) {
    const thing = `calls ${formatDestinations(details)}`;
    if (to === null) {
      return createWording(`No more of the ${thing} for an hour`, thing, { where: ACCOUNT, ending: 'Quiet' });
    }
    return createWording(formatFraud(details, setting), thing, {
      where: ACCOUNT,
      sentences: [
        ...describeCallers(details, setting),
        explainHowToStop(details, setting.customer(source) === null ? '' : ` --account ${source}`),
      ],
      facts: createFact(
        'Unusual',
        formatList(
          details.rules.map(({ rule }) => UNUSUAL[rule] ?? rule),
          5,
          ', ',
        ),
      ),
      lists: createList(
        'Called',
        details.numbers.map(
          ({ number, calls }) => `${formatNumber(number, details.country)} · ${formatCount(calls, 'call')}`,
        ),
        false,
      ),
    });
  },

  'route.dead'({ to, details }, setting) {
    const thing = `Callers of ${formatShownRoute(details)}`;
    if (to === null) return createWording(`${thing} reach somebody again`, thing, { where: ACCOUNT });
    if (details.foreseen === true) {
      return createWording(`${thing} would reach nobody: all phones of this route are offline`, thing, {
        where: ACCOUNT,
        sentences: [`${formatExtensions(details)} rang or answered there in the last four weeks.`],
      });
    }
    const since = parseInstant(details.since);
    const when = since === null ? '' : ` since ${formatTimeOfDay(since, setting)}`;
    return createWording(`${thing} reach nobody: ${details.callers}${when}, no phone rang`, thing, {
      where: ACCOUNT,
      standing: 'no phone rings',
      sentences: ['The dialplan, its condition or a switch leads these calls past the phones.'],
    });
  },

  'agents.none'({ to, details }, setting) {
    const skillset = cleanName(details.skillset);
    if (to === null) return createWording(`${skillset} has agents again`, skillset, { where: ACCOUNT });
    return createWording(formatAgents(details, setting), skillset, { where: ACCOUNT, standing: 'no agent' });
  },
};

function formatTimeOfDay(at: number, setting: Setting): string {
  return setting.now - at < 12 * 3_600_000
    ? formatClockTime(at, setting.timezone)
    : formatShortTime(at, setting.timezone, setting.now);
}

function formatMissed(waiting: number, details: MissedDetails, { timezone, now }: Setting): string {
  const [from, to] = [parseInstant(details.since), parseInstant(details.until)];
  const span = from === null || to === null ? '' : formatHours(from, to, timezone, now);
  if (details.toggle !== undefined) {
    const left = details.messages === 0 ? '' : `, ${details.messages} left a message`;
    const { name, on } = details.toggle;
    return `“${cleanName(name)}” was ${on ? 'on' : 'off'} by mistake ${span}: ${formatCount(details.callers.length + details.more, 'caller was', 'callers were')} not answered${left}`;
  }
  return `${formatCountOf(waiting, details.total, 'caller')} of the outage (${span}) still ${waiting === 1 ? 'waits' : 'wait'}`;
}

/** `14:03–15:10`, with the day if it is not today. */
function formatHours(from: number, to: number, timezone: string, now: number): string {
  const isToday = now - from < 12 * 3_600_000;
  return isToday
    ? `${formatClockTime(from, timezone)}–${formatClockTime(to, timezone)}`
    : formatTimeWindow(from, to, timezone, now);
}

/** `6 of 9 have been called back since.` */
export function formatCalledBack({
  called_back: back,
  waiting,
}: Pick<MissedDetails, 'called_back' | 'waiting'>): string {
  return `${back} of ${back + waiting} ${back === 1 ? 'has' : 'have'} been called back since.`;
}

export function formatLowerBound({ usual }: Pick<MissedDetails, 'usual'>): string {
  const begin = 'Calls that failed before your account are not known';
  if (usual === null) return `${begin}.`;
  return `${begin}; usually ${formatRange(usual.least, usual.most)} come at this time.`;
}

function describeOmittedCalls({ withheld, misdialled }: Pick<MissedDetails, 'withheld' | 'misdialled'>): string[] {
  return [
    ...(withheld === 0 ? [] : [`${formatCount(withheld, 'call')} came from withheld numbers.`]),
    ...(misdialled === 0 ? [] : [`${formatCount(misdialled, 'call')} rang for less than 5 seconds.`]),
  ];
}

function formatCallers(
  details: Pick<MissedDetails, 'callers' | 'more' | 'country'>,
  setting: Pick<Setting, 'timezone'>,
): string[] {
  const lines = details.callers.map((caller) => formatCaller(caller, details.country, setting));
  return details.more === 0 ? lines : [...lines, `${details.more} more are on the alert’s page`];
}

/** `14:07, 14:12 · 04•• ••• 209 · left a message` */
export function formatCaller(caller: CallerDetails, country: string, { timezone }: Pick<Setting, 'timezone'>): string {
  const times = caller.times.flatMap((time) => parseInstant(time) ?? []).map((at) => formatClockTime(at, timezone));
  const parts = [
    formatList(times, 4, ', '),
    formatNumber(caller.number, country),
    ...(caller.left_message ? ['left a message'] : []),
    ...(caller.called_back ? ['called back'] : []),
  ];
  return parts.join(' · ');
}

function formatFraud(details: FraudDetails, setting: Setting): string {
  const { calls, destinations, billed, currency } = details;
  const from = parseInstant(details.since);
  const isNew = destinations.some(({ never_called: never }) => never) || destinations.length === 0;
  const parts = [
    `${formatCount(calls, 'call')} ${formatShownDestinations(details)}${from === null ? '' : ` from ${formatTimeOfDay(from, setting)}`}`,
    ...(isNew ? ['never called before'] : []),
    ...(billed > 0 ? [`${currency} ${formatAmount(billed)} billed so far`] : []),
  ];
  return `Fraud suspected: ${parts.join(', ')}`;
}

/** Text of each rule. */
const UNUSUAL: Readonly<Record<string, string>> = {
  F1: 'destinations not called in 60 days',
  F2: 'more calls abroad in an hour than usual',
  F3: 'one new number called again and again',
  F4: 'calls abroad at an hour without outgoing calls',
  F5: 'more calls at once than before',
};

function formatShownDestinations(details: FraudDetails): string {
  const [first, ...others] = details.destinations;
  if (first === undefined) return `to ${formatNumber(details.numbers[0]?.number ?? '', details.country)}`;
  if (others.length === 0) return formatDestinations(details);
  const names = details.destinations.map(({ code }) => (code === null ? 'premium numbers' : formatCountry(code)));
  return `to ${formatList(names, 3)}`;
}

function describeCallers({ from, new: fresh, country, since }: FraudDetails, setting: Setting): string[] {
  const [first, ...others] = from;
  const who =
    first === undefined
      ? []
      : [
          `${others.length === 0 ? 'All' : formatCount(first.calls, 'call')} from ${formatCallerName(first, country)}${others.length === 0 ? '' : ` and ${formatCount(others.length, 'other')}`}.`,
        ];
  const news = fresh.map(
    ({ extension, kind, value, at }) =>
      `New ${formatNewsTime(parseInstant(at), parseInstant(since), setting)}: ${toOneLine(extension)} ${kind === 'network' ? 'from' : 'on'} ${toOneLine(value)}.`,
  );
  return [...who, ...news];
}

/** `an hour before` the first call, `20 min before`, or `at 14:03`. */
function formatNewsTime(at: number | null, since: number | null, { timezone, now }: Setting): string {
  if (at === null || since === null || at > since) return `at ${formatShortTime(at ?? now, timezone, now)}`;
  const before = since - at;
  return Math.abs(before - HOUR) <= HOUR / 4 ? 'an hour before' : `${formatElapsed(before)} before`;
}

function formatCallerName(
  { number, extension, used_by: users }: FraudDetails['from'][number],
  country: string,
): string {
  if (extension !== null) return `extension ${toOneLine(extension)}`;
  const shown = formatNumber(number, country);
  return users === null || users === 0
    ? shown
    : `${shown}, which ${formatCount(users, 'extension')} ${users === 1 ? 'uses' : 'use'}`;
}

function explainHowToStop({ from, hotline }: FraudDetails, account: string): string {
  const id = from.find((one) => one.extension_id !== null)?.extension_id ?? 'ID';
  const steps = [
    `linewatch account extensions update ${toOneLine(id)}${account} --tolls … (without international)`,
    'a new password',
    hotline === null ? 'then the provider’s hotline' : `then ${toOneLine(hotline)}`,
  ];
  return `To stop it: ${steps.join(', ')}.`;
}

function formatShownRoute(details: RouteDetails): string {
  const via = [details.dialplan, details.condition].filter((part) => part !== '').join(', ');
  return details.number === ''
    ? formatRoute(details)
    : `${formatNumber(details.number, details.country)}${via === '' ? '' : ` (${toOneLine(via)})`}`;
}

function formatExtensions({ extensions }: RouteDetails): string {
  return `${extensions.length === 1 ? 'Extension' : 'Extensions'} ${formatList(extensions.map(toOneLine), 6)}`;
}

function formatAgents(details: AgentsDetails, setting: Setting): string {
  const { unregistered, available, wanted, gave_up: gaveUp } = details;
  const skillset = cleanName(details.skillset);
  if (unregistered.length > 0) {
    const phones = formatList(
      unregistered.map(({ extension }) => toOneLine(extension)),
      6,
      ', ',
    );
    const agents =
      unregistered.length === 1
        ? '1 agent is Available, its phone'
        : `${unregistered.length} agents are Available, none of their phones`;
    return `${skillset}: ${agents} is ${unregistered.length === 1 ? 'not ' : ''}registered (${phones})`;
  }
  const since = formatTimeOfDay(parseInstant(details.since) ?? setting.now, setting);
  const few = available === 0 ? 'no agent' : formatCountOf(available, wanted, 'agent');
  const waited = gaveUp === null || gaveUp === 0 ? '' : `; ${formatCount(gaveUp, 'caller')} waited and gave up`;
  return `${skillset} has had ${few} since ${since}${waited}`;
}

/** Advice for an alert about calls; null for any other alert. */
export function formatCallAdvice(change: Pick<Transition, 'kind' | 'details'>): string | null {
  switch (change.kind) {
    case 'fraud.suspected': {
      const { hotline } = change.details as FraudDetails;
      const call = hotline === null ? 'the provider’s hotline' : toOneLine(hotline);
      return `Take “international” from the tolls of the extension, give it a new password, then call ${call}.`;
    }
    case 'spend.limit':
      return 'Look which calls cost that, and whether they are wanted.';
    case 'route.dead':
      return 'Look where the dialplan leads these calls, and whether a switch is on by mistake.';
    case 'agents.none':
      return 'Ask the agents to set themselves to Available; where their phones are offline, check those first.';
    default:
      return null;
  }
}
