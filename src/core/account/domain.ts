/**
 * Fault domains: what phones have in common. One external address is a site; then there are model and firmware, and the
 * account they are all of.
 */
export const DOMAIN_KINDS = ['site', 'model', 'firmware', 'account'] as const;
export type DomainKind = (typeof DOMAIN_KINDS)[number];

export interface Domain {
  kind: DomainKind;
  key: string;
  /** As people call it: `Richmond`, `203.0.113.7`, `Yealink SIP-T46S 66.86.0.15`. */
  name: string;
  address: string | null;
}

export const ACCOUNT: Domain = { kind: 'account', key: 'account', name: 'the account', address: null };
