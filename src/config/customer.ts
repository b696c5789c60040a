/** Whose account it is, as people say it. */
import type { Config } from './config.ts';

/** Null where there is nobody to mix it up with: only one account is watched, or it is no account. */
export function customerOf({ accounts }: Pick<Config, 'accounts'>, source: string): string | null {
  const account = accounts.find(({ name }) => name === source);
  if (account === undefined || accounts.length < 2) return null;
  return account.displayName ?? account.labels['customer'] ?? account.name;
}
