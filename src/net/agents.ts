/** Connections by the proxy of the environment: the one place that decides who is asked through it. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isLoopback } from './hosts.ts';

/** The environment's proxy settings, e.g. `{HTTPS_PROXY: 'http://proxy:3128'}`. */
export interface ProxyEnvironment {
  HTTP_PROXY?: string | undefined;
  HTTPS_PROXY?: string | undefined;
  NO_PROXY?: string | undefined;
}

/** The one that the address needs. */
export type Agents = { http: HttpAgent } | { https: HttpsAgent };

export interface AgentChoice {
  /** By the proxy unless the address is this very machine: nobody else is told what is said to a loopback address. */
  for(url: string | URL): Agents;
  /** Closes idle connections. */
  close(): void;
}

/** To be shared by whoever asks: an agent keeps its connections by origin and has no other state. */
export interface Connections {
  kept: AgentChoice;
  /**
   * A kept connection may be closed by the server just as it is used again. For reading that costs a retry; for anything
   * else it would leave open whether it happened.
   */
  fresh: AgentChoice;
  /** Closes all of them. */
  close(): void;
}

/** To be closed by whoever made them. */
export function createConnections(proxy?: ProxyEnvironment): Connections {
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

/** Never the library's own agents: those follow settings of the environment that nobody gave us. */
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

/** Each is made when it is first needed: whoever never speaks TLS does not load it. */
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
