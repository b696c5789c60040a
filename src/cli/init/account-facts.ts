/** Reads an account before it is watched: addresses of its phones, and its time zone. Sends read requests only. */
import { isLoopback } from '../../net/hosts.ts';
import { createReadOnlyClient } from '../../provider/account-client.ts';
import { ProviderError } from '../../provider/errors.ts';
import { createLimiter } from '../../provider/limiter.ts';
import { observeRegistrations } from '../../provider/observe-account.ts';
import { formatUserAgent } from '../account/chosen-account.ts';
import { withProgress } from '../account/dialogue.ts';
import { selectProxy, type Platform } from '../platform.ts';
import { proposeSites, type ProposedSite } from './proposed-sites.ts';

export interface FoundAccount {
  sites: readonly ProposedSite[];
  /** The zone of most of its extensions; null if none has one. */
  timezone: string | null;
}

/** A user waits this long at most. */
const READ_WITHIN_MS = 30_000;

/** Or the reason why it could not be read, without its key. */
export async function readAccount(
  platform: Platform,
  baseUrl: string,
  apiKey: string,
): Promise<FoundAccount | { why: string }> {
  const perSecond = isLoopback(new URL(baseUrl).hostname) ? 100 : 1;
  const client = createReadOnlyClient({
    baseUrl,
    apiKey,
    limiter: createLimiter({ requestsPerSecond: perSecond }),
    userAgent: formatUserAgent(platform),
    wallClock: platform.clock.now,
    proxy: selectProxy(platform),
    retry: { retries: 0 },
  });
  const signal = AbortSignal.timeout(READ_WITHIN_MS);
  try {
    return await withProgress(platform.err, 'Reading the account …', async () => {
      const extensions = await client.call('extensions.list', {}, { signal });
      const registered = await observeRegistrations(client, { signal });
      if (registered.kind === 'missed') return { why: registered.why };
      const named = extensions.flatMap(({ user_id: number, name, group_name: group }) =>
        number === undefined || number === null ? [] : [{ number, name: name ?? null, group: group ?? null }],
      );
      return {
        sites: proposeSites(registered.items, named),
        timezone: mostCommon(extensions.flatMap(({ timezone }) => timezone ?? [])),
      };
    });
  } catch (error) {
    if (error instanceof ProviderError) return { why: error.sentence };
    throw error;
  } finally {
    client.close();
  }
}

function mostCommon(values: readonly string[]): string | null {
  const counts = [...Map.groupBy(values, (value) => value)].toSorted(([, one], [, other]) => other.length - one.length);
  return counts[0]?.[0] ?? null;
}
