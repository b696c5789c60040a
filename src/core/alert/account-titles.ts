/** What the alerts of an account are called. */
import { CREDENTIALS } from '../account/compare.ts';
import { groupOfExpectation } from '../account/compare-toggles.ts';
import type { AccountSnapshot, ExpectationMemory } from '../account/snapshot.ts';
import { phoneTitles } from './phone-titles.ts';
import type { Alert } from './record.ts';
import { refusedInPart, unreachable, type Title } from './title.ts';

export interface AccountFacts {
  source: string;
  snapshot: AccountSnapshot;
  /** Names of external addresses. */
  sites: Readonly<Record<string, string>>;
  /** Whose account it is, where more than one is watched. */
  customer: string | null;
}

type Entitled = Alert & { group: string; residual?: boolean };

/** Null where the facts are gone: what was said last stays. */
export function accountTitles(facts: AccountFacts): (alert: Entitled) => Title | null {
  const { source, snapshot, sites, customer } = facts;
  const ofPhones = phoneTitles(snapshot, sites);
  const ofToggles = toggleTitles(snapshot);

  function made({ family, group, status }: Entitled): Title | null {
    switch (family) {
      case 'phones':
        return ofPhones(group);
      case 'toggle':
        return ofToggles(group);
      default:
        return status === 'open' ? readingTitle(source, group, snapshot) : null;
    }
  }

  return (alert) => {
    const title = alert.residual === true ? residualTitle(alert, made(alert)) : made(alert);
    return title === null || customer === null ? title : { ...title, title: `${customer}: ${title.title}` };
  };
}

/** `Still offline: 104 (Sam Roberts)` after the provider's end; when that is over too, nothing is "still" so. */
function residualTitle({ status, still }: Entitled, made: Title | null): Title | null {
  if (status === 'open') return made === null ? null : { ...made, title: `Still ${made.state}: ${made.thing}` };
  return made ?? (still === undefined ? null : { ...still, title: `${still.thing} ${still.state}` });
}

function readingTitle(source: string, group: string, { refused }: AccountSnapshot): Title {
  const thing = `Account “${source}”`;
  if (group !== CREDENTIALS) return unreachable(thing);
  const whole = `Credentials of account “${source}”`;
  return refusedInPart(thing, refused?.parts) ?? { title: `${whole} refused`, thing: whole, state: 'refused' };
}

function toggleTitles({ expectations, toggles }: AccountSnapshot): (group: string) => Title | null {
  const byGroup = new Map(expectations.map((each) => [groupOfExpectation(each.toggle), each]));
  const names = new Map((toggles ?? []).map(({ id, name }) => [`toggle/${id}`, name]));
  const counts = Map.groupBy(toggles ?? [], ({ name }) => name);
  return (group) => {
    const expectation = byGroup.get(group);
    if (expectation === undefined || expectation.told === null) return null;
    if (expectation.told === 'missing') return missingTitle(expectation, counts.get(expectation.toggle)?.length ?? 0);
    const thing = `“${names.get(expectation.subject ?? '') ?? expectation.toggle}”`;
    const expected = expectation.wrong?.expected === true;
    const state = `${expected ? 'OFF' : 'ON'} instead of ${expected ? 'ON' : 'OFF'}`;
    return { title: `${thing} is ${state}`, thing, state };
  };
}

function missingTitle({ toggle: wanted, called = wanted }: ExpectationMemory, matches: number): Title {
  const thing = `Toggle “${called}”`;
  return matches > 1
    ? { title: `${matches} toggles are called “${wanted}”`, thing, state: 'ambiguous' }
    : { title: `${thing} not found`, thing, state: 'missing' };
}
