/**
 * What stands for an alert over there, by what was kept of the answers: in memory, and found again by a key of ours after
 * a restart or an answer that never came. So no second ticket is opened for one alert.
 */
import type { Message } from '../../core/outbox/message.ts';
import type { Answer } from '../../net/exchange.ts';
import type { Outcome } from '../receiver.ts';
import { readAnswer, valueIn } from './answer.ts';
import type { Preset, PresetRequest } from './preset.ts';

export type Kept = Readonly<Record<string, string>>;

export type TicketAction = 'open' | 'update' | 'acknowledge' | 'close' | 'reopen';

/** Alerts whose tickets are known; of older ones they are found. */
const MOST_KNOWN = 1000;

interface Sent {
  outcome: Outcome;
  /** Null where none came. */
  answer: Answer | null;
}

interface TicketDeps {
  preset: Preset;
  reopen: 'same' | 'new';
  /** Of this receiver, epoch milliseconds: what was promised before may have been sent by another process. */
  startedAt: number;
  send: (request: PresetRequest, kept: Kept) => Promise<Sent>;
}

/** By alert. */
export interface TicketBook {
  known: Map<string, Kept>;
  /** Alerts for which an attempt to open ended without an answer. */
  doubtful: Set<string>;
}

/** Sends what a message does to its ticket, which is looked for where it may be there and is not known. */
export async function sendToTicket(
  { known, doubtful }: TicketBook,
  message: Message,
  action: TicketAction,
  { preset, reopen, startedAt, send }: TicketDeps,
): Promise<Outcome> {
  const { requests, keep, title } = preset;
  const { id } = message.alert;
  const isNew = action === 'open' || (action === 'reopen' && (reopen === 'new' || requests.reopen === null));
  const mayBeThere = doubtful.has(id) || message.promisedAt < startedAt;
  const sought = known.has(id) || (isNew && !mayBeThere) ? null : await find();
  if (sought !== null) return sought;
  const kept = known.get(id) ?? null;
  if (kept === null && action === 'close') return { kind: 'delivered', detail: `${title} has no ticket to close` };
  if (kept === null || (isNew && action !== 'open')) return await open();
  const wanted = requests[action === 'open' ? 'update' : action] ?? requests.update;
  if (wanted === null) return { kind: 'delivered', detail: `${title} takes no such news` };
  return (await send(wanted, kept)).outcome;

  /** Null where it was looked for, found or not; else why it could not be. */
  async function find(): Promise<Outcome | null> {
    if (requests.find === null) return null;
    const { outcome, answer } = await send(requests.find, {});
    if (answer === null || outcome.kind !== 'delivered') return outcome;
    const found = valuesAt(answer, 'found');
    if (found !== null) remember(found);
    return null;
  }

  async function open(): Promise<Outcome> {
    if (requests.open === null) return { kind: 'delivered', detail: `${title} takes no such news` };
    doubtful.add(id);
    const { outcome, answer } = await send(requests.open, {});
    if (outcome.kind === 'permanent') doubtful.delete(id);
    if (outcome.kind !== 'delivered' || answer === null) return outcome;
    const opened = valuesAt(answer, 'opened');
    // Without its number a ticket can still be found.
    if (opened === null) return { ...outcome, detail: `${outcome.detail}, without the number of the ticket` };
    remember(opened);
    return outcome;
  }

  function remember(values: Kept): void {
    doubtful.delete(id);
    known.delete(id);
    known.set(id, values);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  }

  /** Null unless all of them are there. */
  function valuesAt(answer: Answer, where: 'opened' | 'found'): Kept | null {
    const { body } = readAnswer(answer);
    const values = Object.entries(keep).map(([name, paths]) => [name, valueIn(body, paths[where])] as const);
    if (values.some(([, value]) => typeof value !== 'string' && typeof value !== 'number')) return null;
    return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
  }
}
