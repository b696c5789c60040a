/** `linewatch status`: what the running daemon knows, or what it knew last. */
import { emptyAccountState } from '../core/engine/account.ts';
import { join } from 'node:path';
import { askControl, ControlError } from '../control/client.ts';
import { CONTROL_SOCKET } from '../control/protocol.ts';
import { emptyState } from '../core/engine/page.ts';
import type { Config } from '../config/config.ts';
import type { ControlContract } from '../daemon/control.ts';
import { emptyReceiverState } from '../daemon/receiver-state.ts';
import { createPending } from '../daemon/pending.ts';
import { reportDelivery, reportStatus, type StatusReport } from '../core/view/status-report.ts';
import { RECEIVER_SCHEMA, SOURCE_SCHEMA } from '../daemon/schemas.ts';
import { realDisk } from '../store/disk.ts';
import { receiver, source } from '../store/document-name.ts';
import { openStore } from '../store/store.ts';
import { receiverStanding } from '../core/view/receiver-standing.ts';
import { defineCommand, EXIT } from './command.ts';
import { loadConfiguration } from './configuration.ts';
import { CommandFailure } from './errors.ts';
import { flag } from './option.ts';
import { statusLines } from './status-text.ts';
import { jsonText } from './terminal-text.ts';

const ANSWERS_WITHIN_MS = 5_000;

export const status = defineCommand({
  description:
    'Asks the running daemon: each source and when it was last read, what is open, what waits to be delivered. Without ' +
    'a daemon it tells what was last committed to the state directory, and says so.',
  options: { json: flag('for programs') },
  examples: [
    ['linewatch status', 'a summary for people'],
    ['linewatch status --json', 'the same as JSON'],
  ],
  async run({ platform, config: file, options }) {
    const { config } = await loadConfiguration(platform, file, 'check');
    const reader = { timezone: config.timezone, now: platform.clock.now() };
    const report = (await askDaemon(config)) ?? (await lastCommit(config, platform.clock.now));
    const lines = options.json ? [jsonText(report)] : statusLines(report, reader, config.stateDir);
    platform.out.write(`${lines.join('\n')}\n`);
    return EXIT.done;
  },
});

async function askDaemon({ stateDir }: Config): Promise<StatusReport | null> {
  try {
    return await askControl<ControlContract, 'status'>({
      path: join(stateDir, CONTROL_SOCKET),
      request: { name: 'status', ask: {} },
      timeoutMs: ANSWERS_WITHIN_MS,
    });
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    if (error.code === 'no-daemon') return null;
    throw new CommandFailure(error.message, { cause: error });
  }
}

async function lastCommit(config: Config, now: () => number): Promise<StatusReport> {
  const store = openStore({ directory: config.stateDir, disk: realDisk, access: 'read', now });
  const pending = createPending();
  const pages = [];
  for (const page of config.statusPages) {
    const document = await store.document(source(page.name), { ...SOURCE_SCHEMA, empty: emptyState(page.baseUrl) });
    pending.replace(page.name, document.value, true);
    pages.push({ name: page.name, state: document.value, lastReadAt: document.value.observedAt });
  }
  const accounts = [];
  for (const { name, baseUrl } of config.accounts) {
    const document = await store.document(source(name), { ...SOURCE_SCHEMA, empty: emptyAccountState(baseUrl) });
    pending.replace(name, document.value, true);
    accounts.push({ name, state: document.value, lastReadAt: document.value.observedAt });
  }
  const deliveries = [];
  for (const { name } of config.receivers) {
    const { value } = await store.document(receiver(name), { ...RECEIVER_SCHEMA, empty: emptyReceiverState() });
    const done = new Set([...value.settled, ...value.refused.map(({ id }) => id)]);
    deliveries.push(
      reportDelivery(
        name,
        receiverStanding(
          value,
          pending.to(name).filter(({ id }) => !done.has(id)),
        ),
      ),
    );
  }
  return reportStatus({
    instance: config.instance,
    running: false,
    startedAt: null,
    sources: pages,
    accounts,
    deliveries,
    sitesOf: (account) => config.accounts.find(({ name }) => name === account)?.sites,
  });
}
