import { formatCountry } from '../text/calling-codes.ts';
import { formatCount } from '../text/plain.ts';
import { maskNumber } from '../text/phone-number.ts';
import { formatAmount } from '../text/money.ts';
import type {
  AgentsDetails,
  FraudDetails,
  RouteDetails,
  SpendDetails,
  StaleDetails,
} from '../transition/call-details.ts';
import type { Transition } from '../transition/transition.ts';
import type { Title } from './title.ts';

/** Names of the reports for people. */
export const CALL_REPORTS: Readonly<Record<StaleDetails['report'], string>> = {
  missed: 'missed calls',
  answered: 'answered calls',
  outgoing: 'outgoing calls',
};

type StandingCondition =
  | { kind: 'spend.limit'; details: SpendDetails }
  | { kind: 'fraud.suspected'; details: FraudDetails }
  | { kind: 'route.dead'; details: RouteDetails }
  | { kind: 'agents.none'; details: AgentsDetails };

/** Null for a transition that is not about calls. */
export function formatCallsTitle(transition: Pick<Transition, 'kind' | 'details'>): Title | null {
  // The kind and its details belong together; the compiler cannot follow a pair.
  const { kind, details } = transition as StandingCondition;
  switch (kind) {
    case 'spend.limit': {
      const { period, currency, spent, limit } = details;
      const thing = `call charges ${period === 'day' ? 'today' : 'this month'}`;
      return named(
        `${currency} ${formatAmount(spent)} of ${formatAmount(limit)} in ${thing}`,
        thing,
        'near or over the limit',
      );
    }
    case 'fraud.suspected': {
      const thing = `${formatCount(details.calls, 'call')} ${formatDestinations(details)}`;
      return named(`Fraud suspected: ${thing}`, thing, 'suspected fraud');
    }
    case 'route.dead': {
      const thing = `Callers of ${formatRoute(details)}`;
      const state = details.foreseen === true ? 'would reach nobody' : 'reach nobody';
      return named(`${thing} ${state}`, thing, state);
    }
    case 'agents.none': {
      const state = details.unregistered.length > 0 ? 'without a registered phone' : 'without an agent';
      return named(`${details.skillset} is ${state}`, details.skillset, state);
    }
    default:
      return null;
  }
}

function named(title: string, thing: string, state: string): Title {
  return { title, thing, state };
}

/** `to Cuba (+53)`, `to 3 countries`, `to premium numbers`. */
export function formatDestinations({
  destinations,
  numbers,
  country,
}: Pick<FraudDetails, 'destinations' | 'numbers' | 'country'>): string {
  const [first, ...others] = destinations;
  if (first === undefined) return `to ${maskNumber(numbers[0]?.number ?? '', country)}`;
  if (others.length > 0) return `to ${destinations.length} destinations`;
  return first.code === null ? 'to premium numbers' : `to ${formatCountry(first.code)}`;
}

/** `1300 ••• 019 (Main line, Business hours)` */
export function formatRoute({
  number,
  dialplan,
  condition,
  country,
}: Pick<RouteDetails, 'number' | 'dialplan' | 'condition' | 'country'>): string {
  const via = [dialplan, condition].filter((part) => part !== '').join(', ');
  return `${maskNumber(number, country)}${via === '' ? '' : ` (${via})`}`;
}
