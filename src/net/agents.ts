/** HTTP agents that follow the proxy settings of the environment. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isLoopback } from './hosts.ts';

/** The environment's proxy settings, e.g. `{HTTPS_PROXY: 'http://proxy:3128'}`. */
export interface ProxyEnvironment {
  HTTP_PROXY?: string | undefined;
  HTTPS_PROXY?: string | undefined;
  NO_PROXY?: string | undefined;
}

/** The agent for the protocol of an address. */
export type Agents = { http: HttpAgent } | { https: HttpsAgent };

export interface AgentChoice {
  /** Requests to loopback addresses bypass the proxy, so that no third party sees them. */
  for(url: string | URL): Agents;
  /** Closes idle connections. */
  close(): void;
}

/** Agents shared by all clients: each pools connections by origin and keeps no other state. */
export interface ProxyAgents {
  kept: AgentChoice;
  /**
   * Without keep-alive, for writes: a server may close a pooled connection just as it is reused, and the client would
   * not know whether the server acted on the request.
   */
  fresh: AgentChoice;
  close(): void;
}

/** The caller must call `close`. */
export function createConnections(proxy?: ProxyEnvironment): ProxyAgents {
  const [kept, fresh] = [createAgents(proxy, { keepAlive: true }), createAgents(proxy)];
  return {
    kept,
    fresh,
    close() {
      kept.close();
      fresh.close();
    },
  };
}

interface AgentOptions {
  keepAlive?: boolean;
  proxyEnv?: Record<string, string | undefined>;
}

/** Replaces the global agents of Node.js, which would read proxy settings from the environment by themselves. */
export function createAgents(proxy: ProxyEnvironment = {}, options: AgentOptions = {}): AgentChoice {
  const proxied = createPair({ ...options, proxyEnv: { ...proxy } });
  const direct = createPair(options);
  return {
    for(url) {
      const { protocol, hostname } = new URL(url);
      return (isLoopback(hostname) ? direct : proxied).for(protocol);
    },
    close() {
      proxied.close();
      direct.close();
    },
  };
}

/** Creates each agent on first use, so that a process without TLS does not load it. */
function createPair(options: AgentOptions): { for(protocol: string): Agents; close(): void } {
  let [plain, secure]: [HttpAgent | null, HttpsAgent | null] = [null, null];
  return {
    for: (protocol) =>
      protocol === 'https:'
        ? { https: (secure ??= new HttpsAgent(options)) }
        : { http: (plain ??= new HttpAgent(options)) },
    close() {
      plain?.destroy();
      secure?.destroy();
    },
  };
}
