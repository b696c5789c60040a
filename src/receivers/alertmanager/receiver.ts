/** Prometheus Alertmanager: open alerts are sent again every minute, ended ones at once. */
import type { Message } from '../../core/outbox/message.ts';
import { trimEndSlashes } from '../../core/text/plain.ts';
import { post } from '../outcome.ts';
import { sendInTurn, type Outcome, type Receiver, type ReceiverDeps } from '../receiver.ts';
import { endOthers, type PostedAlert, renderAlert } from './render.ts';

export interface AlertmanagerOptions {
  name: string;
  /** Address of Alertmanager, with its path prefix. */
  url: string;
  /** Headers of every request. Secrets. */
  headers: Readonly<Record<string, string>>;
}

/** Alertmanager resolves an alert that is not sent again for five minutes. */
const EVERY_MS = 60_000;
/** Maximum number of alerts in one request. */
const MOST = 100;

/** A message without an alert counts as delivered, although nothing is sent. */
export function createAlertmanagerReceiver(
  { name, url, headers }: AlertmanagerOptions,
  { timeoutMs, compose, clock, agents, instance, externalUrl, customerLabel }: ReceiverDeps,
): Receiver {
  /** Chains requests, so that a repeated open alert does not overtake its resolve. */
  let turn: Promise<unknown> = Promise.resolve();

  async function runInOrder(send: () => Promise<Outcome>): Promise<Outcome> {
    const sent = turn.then(send);
    turn = sent;
    return await sent;
  }

  function renderMessage(message: Message): PostedAlert {
    const customer = customerLabel(message.alert.source);
    return renderAlert(message, compose(message), { instance, customer, externalUrl, now: clock() });
  }

  async function request(alerts: readonly PostedAlert[], signal: AbortSignal): Promise<Outcome> {
    const body = JSON.stringify(alerts);
    const all = { ...headers, 'content-type': 'application/json' };
    const address = `${trimEndSlashes(url)}/api/v2/alerts`;
    return await post('Alertmanager', { url: address, headers: all, body, timeoutMs, signal, agents }, clock);
  }

  async function sendOne(message: Message, signal: AbortSignal): Promise<Outcome> {
    if (message.alert.number === null) {
      return { kind: 'delivered', detail: 'for information only, so not for Alertmanager' };
    }
    const alert = renderMessage(message);
    return await runInOrder(async () => await request([alert, ...endOthers(message, alert, clock())], signal));
  }

  return {
    name,
    type: 'alertmanager',
    audience: 'people',
    batch: 1,
    ringsUntilTheEnd: true,
    send: async (messages, signal) => await sendInTurn(messages, (message) => sendOne(message, signal)),
    keepAlive: {
      everyMs: EVERY_MS,
      send: async (open, signal) =>
        await runInOrder(async () => {
          const alerts = open().map(renderMessage);
          let outcome: Outcome = { kind: 'delivered', detail: 'nothing is open' };
          for (let from = 0; from < alerts.length && outcome.kind === 'delivered'; from += MOST) {
            outcome = await request(alerts.slice(from, from + MOST), signal);
          }
          return outcome;
        }),
    },
  };
}
