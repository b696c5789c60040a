/** From resolved options to a receiver. Who reads the configuration maps it to these. */
import { createAgents, type AgentChoice } from '../net/agents.ts';
import { alertmanagerReceiver, type AlertmanagerOptions } from './alertmanager/receiver.ts';
import { emailReceiver, type EmailOptions } from './email/receiver.ts';
import { httpReceiver, type HttpOptions } from './http/receiver.ts';
import { pagerDutyReceiver, type PagerDutyOptions } from './pagerduty/receiver.ts';
import { briefer, type BriefOptions, type Receiver, type ReceiverDeps } from './receiver.ts';
import { slackReceiver, type SlackOptions } from './slack/receiver.ts';
import { terminalReceiver, type TerminalOptions } from './terminal/receiver.ts';
import { webhookReceiver, type WebhookOptions } from './webhook/receiver.ts';

/** What one receiver is made of; secrets are resolved. */
export type ReceiverOptions =
  | ({ type: 'slack' } & SlackOptions)
  | ({ type: 'email' } & EmailOptions)
  | ({ type: 'webhook' } & WebhookOptions)
  | ({ type: 'pagerduty' } & PagerDutyOptions)
  | ({ type: 'alertmanager' } & AlertmanagerOptions)
  | ({ type: 'http' } & HttpOptions)
  | ({ type: 'terminal' } & TerminalOptions);

/** What all receivers share. */
interface ReceiverSetting extends BriefOptions {
  /** For one exchange over the network; default 15 s. */
  timeoutMs?: number;
  customerLabel?: ReceiverDeps['customerLabel'];
  /** By a proxy; default: direct. */
  agents?: AgentChoice;
  /** The report of a month, for those who are promised one; default: there is none. */
  report?: ReceiverDeps['report'];
}

/** For one sending; who takes longer has failed for now, and is tried again. */
const TIMEOUT_MS = 15_000;

/** Connects to nobody yet. Throws a `TypeError` for a signing key that is none. */
export function createReceiver(options: ReceiverOptions, setting: ReceiverSetting): Receiver {
  const {
    clock,
    instance,
    externalUrl,
    timeoutMs = TIMEOUT_MS,
    agents = createAgents(),
    report,
    customerLabel = () => null,
  } = setting;
  const deps: ReceiverDeps = {
    brief: briefer(setting),
    clock,
    instance,
    externalUrl,
    timeoutMs,
    agents,
    report,
    customerLabel,
  };
  switch (options.type) {
    case 'slack':
      return slackReceiver(options, deps);
    case 'email':
      return emailReceiver(options, deps);
    case 'webhook':
      return webhookReceiver(options, deps);
    case 'pagerduty':
      return pagerDutyReceiver(options, deps);
    case 'alertmanager':
      return alertmanagerReceiver(options, deps);
    case 'http':
      return httpReceiver(options, deps);
    case 'terminal':
      return terminalReceiver(options, deps);
  }
}
