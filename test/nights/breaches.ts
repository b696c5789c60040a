/** What must not be in any night, found in one: each as a line for whoever looks into it. */
import { claimAt, extensionsIn, type AlertOf, type Claim, type Claims } from './claims.ts';
import { goneAt, timeOf, type Night } from './night.ts';
import type { Read, Told } from './play.ts';
import { isOut, MINUTE, SECOND, wasOutFor, type Customer } from './town.ts';

const HOLD_OFF_MS = 5 * MINUTE;
const POLL_MS = MINUTE;
/** Two polls to believe it, two more to say it, and the wait for company. */
const TO_BE_TOLD_MS = 4 * POLL_MS + 90 * SECOND;
/** In its first minutes an outage may look like anything. */
export const GRACE_MS = 10 * MINUTE;

/** A habit has to be seen before it is known: until then it looks like whatever it looks like. */
function knownFrom({ customers, start }: Night): number {
  const learns = customers.some(({ phones }) => phones.some(({ absences }) => absences.length > 3));
  return learns ? start + 3 * 24 * 60 * MINUTE - 60 * MINUTE : start;
}

export function alarmsOf(read: readonly Read[], night: Night): string[] {
  const names = new Set(night.customers.map(({ name }) => name));
  const known = knownFrom(night);
  return read
    .filter(
      ({ at, changes }) =>
        at >= known &&
        changes.some(
          ({ kind, source }) => names.has(source) && /^(registration\.(lost|mass|flapping)|outage\.)/.test(kind),
        ),
    )
    .map(({ at, title }) => `${timeOf(at)} ${title}`);
}

/** Something ends while phones it is about are out, and have been for longer than the hold-off. */
export function falseAllClears(night: Night, { read }: Told, alertOf: AlertOf): string[] {
  return read.flatMap(({ at, alert, changes, title }) => {
    const ends = changes.some(
      ({ status, kind }) => status === 'resolved' && /^(registration\.restored|notice\.closed|outage\.)/.test(kind),
    );
    if (!ends) return [];
    const left = night.customers.flatMap(({ name, phones }) =>
      phones.filter(
        (phone) =>
          alertOf(name, phone.extension, at) === alert.id &&
          wasOutFor(phone, at - 2 * POLL_MS, HOLD_OFF_MS + 2 * POLL_MS) &&
          isOut(phone, at),
      ),
    );
    return left.length === 0 ? [] : [`${timeOf(at)} ${title}: ${left.length} still out`];
  });
}

export function accusationsOf(night: Night, claims: Claims, alertOf: AlertOf): string[] {
  const found = new Set<string>();
  const all = night.causes.filter(({ culprit }) => culprit === 'provider');
  const dead = new Set(night.causes.filter(({ culprit }) => culprit === 'site').map(({ name }) => name));
  for (const cause of all) {
    const since = Math.min(...cause.phones.map((phone) => goneAt(phone, cause, night)));
    for (let at = since + GRACE_MS; at < Math.min(cause.until, night.end); at += 2 * MINUTE) {
      const out = cause.phones.filter((phone) => isOut(phone, at));
      const blamed = out.filter((phone) => {
        const claim = claimAt(claims, alertOf(cause.customer.name, phone.extension, at), cause.customer.name, at);
        return claim?.kind === 'site' && !claim.names.some((name) => dead.has(name));
      });
      if (blamed.length >= 3) found.add(cause.customer.name);
    }
  }
  return [...found];
}

export function suspicionsOf(claims: Claims, night: Night): string[] {
  const known = knownFrom(night);
  return [...claims].flatMap(([key, all]) =>
    all.filter(({ kind, at }) => kind === 'provider' && at >= known).map(({ at }) => `${timeOf(at)} ${key}`),
  );
}

/** A word that what was said before no longer holds. */
const CORRECTS = /instead|no longer|turn(s|ed) out|until now|was said|after all|corrected|not as/i;

/** The advice of one alert goes from the provider to a router, or from one router to another, as if nothing had been said. */
export function contradictionsOf(claims: Claims): string[] {
  const found: string[] = [];
  for (const [key, all] of claims) {
    let before: Claim | null = null;
    for (const claim of all) {
      if (claim.kind === 'phone') continue;
      const isOther =
        before !== null &&
        claim.kind !== 'provider' &&
        (before.kind !== claim.kind || (claim.kind !== 'account' && before.names[0] !== claim.names[0]));
      if (isOther && !CORRECTS.test(claim.text)) {
        found.push(`${timeOf(claim.at)} ${key}: ${before?.kind} → ${claim.kind}`);
      }
      before = claim;
    }
  }
  return found;
}

/** How many of an account's phones people have read to be lost, at most so far. */
function readOf(read: readonly Read[], customer: string, until: number): number {
  const down = new Map<string, { singles: Set<string>; mass: number }>();
  for (const { at, alert, changes } of read) {
    if (at > until) break;
    for (const { source, kind, details, to } of changes) {
      if (source !== customer) continue;
      const entry = down.get(alert.id) ?? { singles: new Set<string>(), mass: 0 };
      down.set(alert.id, entry);
      if (kind === 'registration.lost' || kind === 'registration.flapping') entry.singles.add(details.extension ?? '');
      else if (kind === 'registration.mass' || kind === 'outage.suspected') {
        const listed = extensionsIn(details).length + (details.more ?? 0);
        entry.mass = Math.max(entry.mass, listed, kind === 'outage.suspected' ? Number(to) : 0);
      }
    }
  }
  return [...down.values()].reduce((sum, { singles, mass }) => sum + Math.max(singles.size, mass), 0);
}

export function silentGrowth(night: Night, of: Customer, read: readonly Read[]): string[] {
  if (night.isNoise) return [];
  let peak = 0;
  let peakAt = 0;
  for (let at = night.start; at < night.end; at += POLL_MS) {
    const out = of.phones.filter(
      (phone) => isOut(phone, at) && isOut(phone, at - HOLD_OFF_MS) && isOut(phone, at - HOLD_OFF_MS / 2),
    ).length;
    if (out > peak) [peak, peakAt] = [out, at];
  }
  if (peak < 3) return [];
  const known = readOf(read, of.name, peakAt + TO_BE_TOLD_MS);
  return known * 2 >= peak ? [] : [`${of.name}: read of ${known} of ${peak} at ${timeOf(peakAt)}`];
}

export function endsOf(night: Night, { read }: Told): number[] {
  return night.customers.flatMap(({ name, phones }) => {
    const mine = night.causes.filter(({ customer }) => customer.name === name).flatMap((cause) => [...cause.phones]);
    if (mine.length === 0) return [];
    let lastBack = 0;
    for (const phone of phones) {
      for (const { until, comebackMs } of phone.absences) lastBack = Math.max(lastBack, until + comebackMs);
    }
    if (lastBack > night.end || phones.some((phone) => isOut(phone, night.end))) return [];
    const end = read.findLast(
      ({ at, changes }) =>
        at >= lastBack &&
        changes.some(
          ({ source, kind, status }) => source === name && kind === 'registration.restored' && status === 'resolved',
        ),
    );
    return end === undefined ? [] : [end.at - lastBack];
  });
}

/** The provider says it is over, and phones it took are still out ten minutes later. */
export function residualOf(night: Night, read: readonly Read[]): { expected: number; told: number } {
  const providers = night.causes.filter(({ culprit }) => culprit === 'provider');
  let expected = 0;
  let told = 0;
  for (const notice of night.notices) {
    if (!notice.components.includes('SIP Registration')) continue;
    const over = notice.states.find(({ state }) => state === 'resolved' || state === 'complete')?.at;
    if (over === undefined || over > night.end - 15 * MINUTE) continue;
    const [first] = notice.states;
    const left = providers.filter(
      ({ phones, from }) =>
        (first?.at ?? 0) < over - 12 * MINUTE &&
        from < over - 15 * MINUTE &&
        phones.some((phone) => wasOutFor(phone, over + 10 * MINUTE, 18 * MINUTE)),
    );
    if (left.length === 0) continue;
    expected += 1;
    if (
      read.some(
        ({ at, changes }) =>
          at >= over && at < over + 10 * MINUTE && changes.some(({ kind }) => kind === 'outage.residual'),
      )
    ) {
      told += 1;
    }
  }
  return { expected, told };
}
