/** Connections by the proxy of the environment, for whoever is reached over HTTP and is not the provider. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Agents } from 'got';
import type { ProxyEnvironment } from '../provider/transport.ts';

/** Null where the environment names no proxy. */
export function agentsBy(proxy: ProxyEnvironment): Agents | null {
  if (proxy.HTTP_PROXY === undefined && proxy.HTTPS_PROXY === undefined) return null;
  const options = { proxyEnv: { ...proxy } };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}
