/** Creates receivers from their options, to which the configuration is mapped. */
import { createAgents, type AgentChoice } from '../net/agents.ts';
import { createAlertmanagerReceiver, type AlertmanagerOptions } from './alertmanager/receiver.ts';
import { createEmailReceiver, type EmailOptions } from './email/receiver.ts';
import { createHttpReceiver, type PresetOptions } from './http/receiver.ts';
import { createPagerDutyReceiver, type PagerDutyOptions } from './pagerduty/receiver.ts';
import { createCompose, type ComposeOptions, type Receiver, type ReceiverDeps } from './receiver.ts';
import { createSlackReceiver, type SlackOptions } from './slack/receiver.ts';
import { createTerminalReceiver, type TerminalOptions } from './terminal/receiver.ts';
import { createWebhookReceiver, type WebhookOptions } from './webhook/receiver.ts';

/** Options of one receiver, with resolved secrets. */
export type ReceiverOptions =
  | ({ type: 'slack' } & SlackOptions)
  | ({ type: 'email' } & EmailOptions)
  | ({ type: 'webhook' } & WebhookOptions)
  | ({ type: 'pagerduty' } & PagerDutyOptions)
  | ({ type: 'alertmanager' } & AlertmanagerOptions)
  | ({ type: 'http' } & PresetOptions)
  | ({ type: 'terminal' } & TerminalOptions);

/** Settings of all receivers. */
interface ReceiverSetting extends ComposeOptions {
  /** Timeout of one network request; default 15 s. */
  timeoutMs?: number;
  customerLabel?: ReceiverDeps['customerLabel'];
  /** Proxies; default: direct connections. */
  agents?: AgentChoice;
  /** Creates the monthly report for receivers that have it attached; default: none. */
  report?: ReceiverDeps['report'];
}

/** Timeout of one sending, which is then retried. */
const TIMEOUT_MS = 15_000;

/** Opens no connection yet. Throws a `TypeError` for an invalid signing key. */
export function createReceiver(options: ReceiverOptions, setting: ReceiverSetting): Receiver {
  const deps: ReceiverDeps = {
    timeoutMs: TIMEOUT_MS,
    customerLabel: () => null,
    report: undefined,
    ...setting,
    agents: setting.agents ?? createAgents(),
    compose: createCompose(setting),
  };
  switch (options.type) {
    case 'slack':
      return createSlackReceiver(options, deps);
    case 'email':
      return createEmailReceiver(options, deps);
    case 'webhook':
      return createWebhookReceiver(options, deps);
    case 'pagerduty':
      return createPagerDutyReceiver(options, deps);
    case 'alertmanager':
      return createAlertmanagerReceiver(options, deps);
    case 'http':
      return createHttpReceiver(options, deps);
    case 'terminal':
      return createTerminalReceiver(options, deps);
  }
}
