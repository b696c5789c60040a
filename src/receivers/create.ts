/** From resolved options to a receiver. Who reads the configuration maps it to these. */
import { createAgents, type AgentChoice } from '../net/agents.ts';
import { briefer, type BriefOptions } from './brief.ts';
import { emailReceiver, type SmtpOptions } from './email/receiver.ts';
import { pagerDutyReceiver } from './pagerduty/receiver.ts';
import type { Receiver } from './receiver.ts';
import { slackReceiver } from './slack/receiver.ts';
import type { TerminalStyle } from './terminal/render.ts';
import { terminalReceiver } from './terminal/receiver.ts';
import { webhookReceiver } from './webhook/receiver.ts';

/** What one receiver is made of; secrets are resolved. */
export type ReceiverOptions =
  | { type: 'slack'; name: string; webhookUrl: string }
  | { type: 'email'; name: string; smtp: SmtpOptions; from: string; to: readonly string[] }
  | { type: 'webhook'; name: string; url: string; secret: string | null }
  | { type: 'pagerduty'; name: string; routingKey: string; url: string }
  | { type: 'terminal'; name: string; write: (text: string) => Promise<void> | void; style: () => TerminalStyle };

/** What all receivers share. */
export interface ReceiverSetting extends BriefOptions {
  /** For one exchange over the network; default 15 s. */
  timeoutMs?: number;
  /** By a proxy; default: direct. */
  agents?: AgentChoice;
}

const TIMEOUT_MS = 15_000;

export function createReceiver(options: ReceiverOptions, setting: ReceiverSetting): Receiver {
  const { clock, instance } = setting;
  const shared = { timeoutMs: setting.timeoutMs ?? TIMEOUT_MS, clock, brief: briefer(setting) };
  const agents = setting.agents ?? createAgents();
  switch (options.type) {
    case 'slack':
      return slackReceiver({ ...options, ...shared, agents });
    case 'email':
      return emailReceiver({ ...options, ...shared });
    case 'webhook':
      return webhookReceiver({ ...options, ...shared, instance, agents });
    case 'pagerduty':
      return pagerDutyReceiver({ ...options, ...shared, agents });
    case 'terminal':
      return terminalReceiver({ ...options, ...shared });
  }
}
