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

export type AgentChoice = ReturnType<typeof createAgents>;

/** Agents shared by all clients: each pools connections by origin and keeps no other state. */
export type ProxyAgents = ReturnType<typeof createConnections>;

/** The caller must call `close`. */
export function createConnections(proxy?: ProxyEnvironment) {
  const [kept, fresh] = [createAgents(proxy, { keepAlive: true }), createAgents(proxy)];
  return {
    kept,
    /**
     * Without keep-alive, for writes: a server may close a pooled connection just as it is reused, and the client would
     * not know whether the server acted on the request.
     */
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
export function createAgents(proxy: ProxyEnvironment = {}, options: AgentOptions = {}) {
  const proxied = createPair({ ...options, proxyEnv: { ...proxy } });
  const direct = createPair(options);
  return {
    /** Requests to loopback addresses bypass the proxy, so that no third party sees them. */
    for(url: string | URL) {
      const { protocol, hostname } = new URL(url);
      return (isLoopback(hostname) ? direct : proxied).for(protocol);
    },
    /** Closes idle connections. */
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
