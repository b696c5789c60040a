/** Threads messages of one alert: later ones reply to the first, which is edited to stay up to date. */
import type { Conversation, Message } from '../../core/outbox/message.ts';
import type { Outcome } from '../receiver.ts';
import type { Preset, PresetRequest } from './preset.ts';
import { readKept, type Sent } from './tickets.ts';

type Send = (request: PresetRequest, kept: Conversation) => Promise<Sent>;

export async function sendInThread(
  { alert, conversation: kept }: Message,
  { requests, keep, receipt }: Preset,
  first: PresetRequest,
  send: Send,
): Promise<Outcome> {
  // Without replies every message has a receipt of its own, and the newest counts.
  if (kept === undefined || receipt !== null) {
    const { outcome, answer } = await send(first, {});
    const made = answer === null || alert.number === null ? null : readKept(keep, answer, 'opened');
    return outcome.kind === 'delivered' && made !== null ? { ...outcome, keep: made } : outcome;
  }
  const { outcome } = await send(requests.reply ?? first, kept);
  if (outcome.kind !== 'delivered' || requests.edit === null) return outcome;
  const edit = (await send(requests.edit, kept)).outcome;
  if (edit.kind === 'delivered') return outcome;
  // Only the first message is outdated. If it cannot be edited at all, the next message opens a new thread.
  const detail = `${outcome.detail}; the first message is not up to date: ${edit.reason}`;
  return { ...outcome, detail, ...(edit.kind === 'permanent' && { keep: {} }) };
}
