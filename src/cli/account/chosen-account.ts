/** Selects an account of the configuration and opens its client. */
import { findAccount, type AccountConfig, type Config } from '../../config/config.ts';
import { suggestName } from '../../config/nearest.ts';
import { hasReference, findUnreadReference } from '../../config/references.ts';
import { createAccountClient, type AccountClient } from '../../provider/account-client.ts';
import { createLimiter } from '../../provider/limiter.ts';
import { UsageError } from '../command.ts';
import { selectProxy, type Platform } from '../platform.ts';

/** Without a name, the only account. Throws `UsageError` if there is none, or several. */
export function chooseAccount({ accounts }: Config, name: string | undefined): AccountConfig {
  const names = accounts.map((account) => account.name);
  const [first, ...more] = accounts;
  if (first === undefined) {
    throw new UsageError('the configuration has no account; add one under accounts, with name, base_url and api_key');
  }
  if (name === undefined) {
    if (more.length === 0) return withAddress(first);
    throw new UsageError(`there are several accounts: say which with --account, one of ${names.join(', ')}`);
  }
  const chosen = accounts.find((account) => account.name === name) ?? findAccount(accounts, name);
  if (chosen === undefined) {
    throw new UsageError(`there is no account '${name}', only ${names.join(', ')}${suggestName(name, names)}`);
  }
  return withAddress(chosen);
}

/** Throws `UsageError` if its address is an unreadable reference. */
export function withAddress(account: AccountConfig): AccountConfig {
  if (account.baseUrl !== '' && !hasReference(account.baseUrl)) return account;
  throw new UsageError(`account ${account.name}: base_url is ${account.baseUrl || 'missing'}, which cannot be read`);
}

/** Throws `UsageError` without a key: an unreadable reference must not be sent as one. */
export function requireKey(account: AccountConfig): void {
  if (account.apiKey === '') throw new UsageError(`account ${account.name} has no api_key`);
  // Quote only the reference: text around it may be secret.
  const reference = findUnreadReference(account.apiKey);
  if (reference !== null) {
    throw new UsageError(
      `account ${account.name}: ${reference} of api_key cannot be read; 'linewatch config check' says why`,
    );
  }
}

/** Throws `UsageError` for an unusable address or key. */
export function openAccount(account: AccountConfig, platform: Platform): AccountClient {
  requireKey(account);
  try {
    return createAccountClient({
      baseUrl: account.baseUrl,
      apiKey: account.apiKey,
      limiter: createLimiter({ requestsPerSecond: account.requestsPerSecond }),
      userAgent: formatUserAgent(platform),
      wallClock: platform.clock.now,
      proxy: selectProxy(platform),
      retry: { random: platform.random },
    });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`account ${account.name}: ${error.message}`, { cause: error });
    throw error;
  }
}

export function formatUserAgent(platform: Platform): string {
  return `linewatch/${platform.version}`;
}
