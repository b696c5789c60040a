/** What people were told of whom: the domain that a message names, by its details and its alert. */
import type { Change, Heard, Read } from './play.ts';

export interface Claim {
  at: number;
  kind: 'site' | 'device' | 'phone' | 'account' | 'provider';
  names: readonly string[];
  text: string;
}

/** What was said of whom, by alert and account, in order. */
export type Claims = ReadonlyMap<string, Claim[]>;

const keyOf = (alert: string, source: string): string => `${alert} ${source}`;

export function claimsOf(read: readonly Read[], providerAlerts: ReadonlySet<string>): Claims {
  const claims = new Map<string, Claim[]>();
  for (const message of read) {
    for (const change of message.changes) {
      const claim = claimOf(change, message, providerAlerts);
      if (claim === null) continue;
      const key = keyOf(message.alert.id, change.source);
      const before = claims.get(key) ?? [];
      // That the phones of a suspected outage are spread over the account takes nothing back.
      const last = before.findLast(({ kind }) => kind !== 'phone');
      if (claim.kind === 'account' && last?.kind === 'provider') continue;
      claims.set(key, [...before, claim]);
    }
  }
  return claims;
}

function claimOf(
  { kind, details }: Change,
  { at, text, alert }: Read,
  providerAlerts: ReadonlySet<string>,
): Claim | null {
  if (kind === 'outage.suspected') return { at, kind: 'provider', names: [], text };
  if (kind === 'registration.lost') return { at, kind: 'phone', names: [details.extension ?? ''], text };
  const areTogether = kind === 'registration.flapping' && details.domain !== undefined;
  if (kind !== 'registration.mass' && !areTogether) return null;
  if (details.explained_by !== undefined || details.suspected === true || providerAlerts.has(alert.id)) {
    return { at, kind: 'provider', names: [], text };
  }
  const { kind: domain = 'account', name = '' } = details.domain ?? {};
  if (domain === 'site') return { at, kind: 'site', names: [name, ...(details.sites ?? [])], text };
  if (domain === 'model' || domain === 'firmware') return { at, kind: 'device', names: [name], text };
  return { at, kind: 'account', names: [], text };
}

/** The alert each phone belongs to, over time. */
export type AlertOf = (customer: string, extension: string, at: number) => string | null;

export function alertsOf(heard: readonly Heard[]): AlertOf {
  const known = new Map<string, { at: number; alert: string }[]>();
  for (const { at, alert, source, kind, details } of heard) {
    if (alert === null || !/^(registration\.(mass|lost|flapping)|outage\.)/.test(kind)) continue;
    for (const extension of extensionsIn(details)) {
      const key = `${source} ${extension}`;
      known.set(key, [...(known.get(key) ?? []), { at, alert: alert.id }]);
    }
  }
  return (customer, extension, at) =>
    known.get(`${customer} ${extension}`)?.findLast((each) => each.at <= at)?.alert ?? null;
}

export function claimAt(claims: Claims, alert: string | null, customer: string, at: number): Claim | null {
  if (alert === null) return null;
  return claims.get(keyOf(alert, customer))?.findLast((claim) => claim.at <= at) ?? null;
}

/** Whom it names: one phone, or a list of them. */
export function extensionsIn({ extension, phones }: Change['details']): string[] {
  if (extension !== undefined) return [extension];
  return Array.isArray(phones) ? phones.map((phone) => phone.extension) : [];
}
