/** A source of either kind, for what must hold of both. */
import { watchAccount } from './watched-account.ts';
import { MINUTE, watchProvider, type WatchedProvider } from './watched-provider.ts';

export const SOURCES = ['a status page', 'an account'] as const;
export type SourceKind = (typeof SOURCES)[number];

export type WatchedSource = Pick<
  WatchedProvider,
  'provider' | 'daemon' | 'told' | 'events' | 'rounds' | 'asked' | 'close'
> & {
  /** All that is known of it, which a failed round must leave as it was. */
  known(): unknown;
};

export interface SourceLimits {
  /** Default: the client's own, as with its retries. */
  timeouts?: { response: number; read: number; request: number };
  retry?: { retries: number };
  bodyLimit?: number;
}

/** It counts as unreachable at the second round that fails. It stands elsewhere where an address is given. */
export async function watchSource(kind: SourceKind, limits: SourceLimits = {}, url?: string): Promise<WatchedSource> {
  if (kind === 'a status page') {
    const watched = await watchProvider({
      http: limits,
      unreachableAfterMs: MINUTE,
      ...(url !== undefined && { statusUrl: url }),
    });
    const [watch] = watched.daemon.daemon.sources;
    return {
      ...watched,
      known() {
        const { page, components, notices } = watch?.state.snapshot ?? {};
        return structuredClone({ page, components, notices });
      },
    };
  }
  const watched = await watchAccount({
    client: limits,
    unreachableAfterMs: MINUTE,
    ...(url !== undefined && { baseUrl: () => url }),
  });
  const [watch] = watched.daemon.daemon.accounts;
  return {
    ...watched,
    known() {
      const { phones = null, extensions, toggles } = watch?.state.snapshot ?? {};
      // How long registrations still last moves with every look, and is no more than the time that passed.
      const lasting = phones?.map((phone) => ({ ...phone, lease: undefined }));
      return structuredClone({ phones: lasting, extensions, toggles });
    },
  };
}
