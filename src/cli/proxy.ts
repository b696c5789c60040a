/** The proxy of the environment, by which the provider and the receivers are reached. */
import type { ProxyEnvironment } from '../net/agents.ts';
import type { Platform } from './platform.ts';

export function proxyOf({ env }: Pick<Platform, 'env'>): ProxyEnvironment {
  const { HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = env;
  return { HTTP_PROXY, HTTPS_PROXY, NO_PROXY };
}
