/** Creates the receivers from the configuration. */
import { hostname } from 'node:os';
import { readFile } from 'node:fs/promises';
import { findCustomer, findDisplayName, findVendor, type Config } from '../../config/config.ts';
import { makeMonthlyReport } from '../recording/monthly.ts';
import type { ReceiverConfig } from '../../config/schema/receiver-schema.ts';
import { createAgents, type ProxyEnvironment } from '../../net/agents.ts';
import { createReceiver, type ReceiverOptions } from '../../receivers/create.ts';
import { maskTransition } from '../../core/transition/mask-transition.ts';
import type { Message } from '../../core/outbox/message.ts';
import type { PublicPage } from '../../core/wording/message-content.ts';
import type { Receiver } from '../../receivers/receiver.ts';
import { readErrorCode, ForeseenError } from '../../net/failure.ts';
import type { Daemon } from '../loop/daemon.ts';

/** The CA certificates of a receiver cannot be read. */
export class UnreadableCertificates extends ForeseenError {
  override readonly name = 'UnreadableCertificates';
}

export interface ReceiverWiring {
  /** Epoch milliseconds. */
  now(): number;
  /** Name of a component by source and id, if known. */
  componentName(source: string, id: string): string | null;
  /** The status page of a source: the page itself, or the page that explains an account. */
  page?(source: string): PublicPage | null;
  /** Proxy settings of the environment, for receivers over HTTP. */
  proxy: ProxyEnvironment;
}

interface Watching {
  /** The current configuration. */
  config(): Pick<Config, 'accounts' | 'statusPages'>;
  /** Null before there is one. */
  daemon(): Pick<Daemon, 'sources'> | null;
}

/** Receivers name components and link pages with the state at the time of a message. */
export function createNameLookup({
  config,
  daemon,
}: Watching): Required<Pick<ReceiverWiring, 'componentName' | 'page'>> {
  const snapshotOf = (page: string) => daemon()?.sources.find(({ name }) => name === page)?.state.snapshot;
  return {
    componentName: (source, id) => snapshotOf(source)?.components?.find((one) => one.id === id)?.name ?? null,
    page(source) {
      const page = config().accounts.find(({ name }) => name === source)?.statusPage ?? source;
      return { source: page, url: snapshotOf(page)?.page?.url ?? null, ...findVendor(config(), page) };
    },
  };
}

/** Throws `UnreadableCertificates`. */
export async function createConfiguredReceivers(config: Config, wiring: ReceiverWiring): Promise<Receiver[]> {
  const setting = {
    timezone: config.timezone,
    instance: config.instance,
    externalUrl: config.http.externalUrl,
    clock: wiring.now,
    names: wiring.componentName,
    customer: (source: string) => findCustomer(config, source),
    displayName: (source: string) => findDisplayName(config, source),
    customerLabel: (source: string) => config.accounts.find(({ name }) => name === source)?.labels['customer'] ?? null,
    ...(wiring.page === undefined ? {} : { page: wiring.page }),
    agents: createAgents(wiring.proxy),
    report: (month: string) =>
      makeMonthlyReport({ ...config, isHostName: config.instance === hostname() }, month, wiring.now()),
  };
  const all = await Promise.all(config.receivers.map(optionsOf));
  return all.map((options, index) => {
    const receiver = createReceiver(options, setting);
    return config.receivers[index]?.numbers === 'full' ? receiver : withMaskedNumbers(receiver);
  });
}

/** Telephone numbers of callers are personal: a receiver gets them only if its configuration allows it. */
export function withMaskedNumbers(receiver: Receiver): Receiver {
  return {
    ...receiver,
    send: (messages, signal, only) => receiver.send(messages.map(maskMessage), signal, only),
  };
}

export function maskMessage(message: Message): Message {
  const changes = message.changes.map((change) => ({ ...change, transition: maskTransition(change.transition) }));
  return { ...message, changes };
}

async function optionsOf(receiver: ReceiverConfig): Promise<ReceiverOptions> {
  if (receiver.type !== 'email') return receiver;
  const { caFile, ...smtp } = receiver.smtp;
  return { ...receiver, smtp: { ...smtp, ca: caFile === null ? null : await certificates(receiver.name, caFile) } };
}

async function certificates(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = readErrorCode(error) ?? 'unknown';
    throw new UnreadableCertificates(`receiver ${name}: the ca_file ${path} cannot be read (${code})`, {
      cause: error,
    });
  }
}
