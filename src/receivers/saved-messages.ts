/** Saves sent messages as files for inspection: the Slack payload, the mail and its HTML. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { Message } from '../core/outbox/message.ts';
import type { Compose, Receiver } from './receiver.ts';
import { parseAddress, toMailData } from './email/receiver.ts';
import { renderMail } from './email/render.ts';
import { renderSlack } from './slack/render.ts';

interface SavedCopy {
  /** File extension without the dot. */
  extension: 'json' | 'eml' | 'html';
  content: string;
}

export type CopyOf = (message: Message) => Promise<SavedCopy[]>;

interface CopiesOptions {
  directory: string;
  copyOf: CopyOf;
  /** Called if a copy could not be saved; the message is sent all the same. */
  failed: (error: unknown) => void;
}

/** Payload as it is posted. */
export function copySlack(compose: Compose): CopyOf {
  return async (message) =>
    await Promise.resolve([
      { extension: 'json', content: `${JSON.stringify(renderSlack(compose(message)), null, 2)}\n` },
    ]);
}

/** The mail in wire format, and its HTML to open in a browser. */
export function copyMail(compose: Compose, from: string, to: readonly string[], clock: () => number): CopyOf {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return async (message) => {
    const mail = renderMail(message, compose(message), {
      organizer: parseAddress(from),
      attendees: to.map(parseAddress),
    });
    const { message: bytes } = await composer.sendMail(toMailData(mail, from, to, clock()));
    return [
      { extension: 'eml', content: String(bytes) },
      { extension: 'html', content: mail.html },
    ];
  };
}

/**
 * Wraps a receiver so that its messages are saved in `directory`, with time, receiver, number, kind and id in the file
 * name.
 */
export function saveCopies(receiver: Receiver, { directory, copyOf, failed }: CopiesOptions): Receiver {
  return {
    ...receiver,
    async send(messages, signal, only) {
      for (const message of messages) {
        try {
          await mkdir(directory, { recursive: true, mode: 0o700 });
          for (const { extension, content } of await copyOf(message)) {
            const path = join(directory, `${formatFileName(receiver.name, message)}.${extension}`);
            await writeFile(path, content, { mode: 0o600 });
          }
        } catch (error) {
          failed(error);
        }
      }
      return await receiver.send(messages, signal, only);
    },
  };
}

function formatFileName(receiver: string, message: Message): string {
  const kind = message.changes.at(-1)?.transition.kind ?? 'message';
  const number = message.alert.number === null ? 'info' : `alert-${message.alert.number}`;
  const at = new Date(message.promisedAt).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return [at, receiver, number, kind, message.id.slice(0, 8)].join('-').replaceAll(/[^\w.-]+/g, '_');
}
