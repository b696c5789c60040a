/**
 * Tickets of alerts. A ticket's id is kept from the response that opened it. If the id was lost, or the response never
 * arrived, the ticket is found by our key, so that an alert gets no second ticket.
 */
import type { Conversation, Message } from '../../core/outbox/message.ts';
import type { Outcome } from '../receiver.ts';
import { readValue } from '../../core/text/plain-object.ts';
import type { ReadAnswer } from './answer.ts';
import type { Preset, PresetRequest } from './preset.ts';

export type TicketAction = 'open' | 'update' | 'acknowledge' | 'close' | 'reopen';

export interface Sent {
  outcome: Outcome;
  /** Null if there was no response. */
  answer: ReadAnswer | null;
}

interface TicketDeps {
  preset: Preset;
  reopen: 'same' | 'new';
  /** Start of this receiver, epoch milliseconds. Another process may have sent messages that were enqueued earlier. */
  startedAt: number;
  /** Alerts whose attempt to open a ticket ended without its id. */
  doubtful: Set<string>;
  send: (request: PresetRequest, kept: Conversation) => Promise<Sent>;
}

/** Sends the message's request to its ticket, which is searched for if it may exist and its id is unknown. */
export async function sendToTicket(
  message: Message,
  action: TicketAction,
  { preset, reopen, startedAt, doubtful, send }: TicketDeps,
): Promise<Outcome> {
  const { requests, keep, title } = preset;
  const { alert, conversation, first, promisedAt } = message;
  const isNew = action === 'open' || (action === 'reopen' && (reopen === 'new' || requests.reopen === null));
  const mayBeThere = doubtful.has(alert.id) || promisedAt < startedAt || !first;
  let kept = conversation ?? null;
  if (kept === null && (mayBeThere || !isNew) && requests.find !== null) {
    const { outcome, answer } = await send(requests.find, {});
    if (outcome.kind !== 'delivered' || answer === null) return outcome;
    kept = readKept(keep, answer, 'found');
  }
  if (kept === null && action === 'close') return { kind: 'delivered', detail: `${title} has no ticket to close` };
  if (kept === null || (isNew && action !== 'open')) return await open();
  const wanted = requests[action === 'open' ? 'update' : action] ?? requests.update;
  if (wanted === null) return { kind: 'delivered', detail: `${title} takes no such news`, keep: kept };
  const { outcome } = await send(wanted, kept);
  if (outcome.kind === 'delivered') {
    doubtful.delete(alert.id);
    return { ...outcome, keep: kept };
  }
  // The ticket was deleted.
  if (outcome.kind !== 'permanent' || outcome.code !== 'gone') return outcome;
  return action === 'close' ? { kind: 'delivered', detail: `${title} has no ticket to close`, keep: {} } : await open();

  async function open(): Promise<Outcome> {
    if (requests.open === null) return { kind: 'delivered', detail: `${title} takes no such news` };
    doubtful.add(alert.id);
    const { outcome, answer } = await send(requests.open, {});
    if (outcome.kind === 'permanent') doubtful.delete(alert.id);
    if (outcome.kind !== 'delivered' || answer === null) return outcome;
    const opened = readKept(keep, answer, 'opened');
    // A ticket without a known id can still be found.
    if (opened === null) return { ...outcome, keep: {}, detail: `${outcome.detail}, without the number of the ticket` };
    return doubtful.delete(alert.id) ? { ...outcome, keep: opened } : outcome;
  }
}

/** Null unless all values exist. */
export function readKept(keep: Preset['keep'], { body }: ReadAnswer, where: 'opened' | 'found'): Conversation | null {
  const values = Object.entries(keep).map(([name, paths]) => [name, readValue(body, paths[where] ?? '')] as const);
  if (values.length === 0 || values.some(([, value]) => typeof value !== 'string' && typeof value !== 'number')) {
    return null;
  }
  return Object.fromEntries(values.map(([name, value]) => [name, value as string | number]));
}
