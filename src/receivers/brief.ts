/** How receivers for people come by the wording of a message. */
import { briefing, type Briefing } from '../core/wording/briefing.ts';
import type { Message } from '../core/outbox/message.ts';

export type Brief = (message: Message) => Briefing;

export interface BriefOptions {
  timezone: string;
  instance: string;
  externalUrl: string | null;
  clock: () => number;
  /** Name of a component by source and id. */
  names?: (source: string, id: string) => string | null;
  /** Whose account a source is, where more than one is watched. */
  customer?: (source: string) => string | null;
  /** Where the provider shows everybody how it is, by source. */
  pageUrl?: (source: string) => string | null;
}

export function briefer({ clock, ...rest }: BriefOptions): Brief {
  return (message) => briefing(message, { ...rest, now: clock() });
}
