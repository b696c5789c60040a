/**
 * Voicemail boxes that send no mail and hold old messages. The interface has no read mark, so a message may have been
 * heard.
 */
import { findMinimum } from '../transition/collections.ts';
import { DAY_SECONDS } from './local-days.ts';
import type { Line, Mail } from './call-model.ts';

export interface FullBox {
  box: string;
  messages: number;
  /** Epoch seconds. */
  oldest: number;
}

/** `now` is epoch seconds. A box of an unknown extension is left out, because it may send mail. */
export function findFullBoxes(mails: readonly Mail[], lines: readonly Line[] | null, now: number): FullBox[] {
  const silent = new Set((lines ?? []).flatMap(({ extension, hasMail }) => (hasMail ? [] : [extension])));
  return [...Map.groupBy(mails, ({ box }) => box)]
    .flatMap(([box, some]): FullBox[] => {
      const oldest = findMinimum(some.map(({ at }) => at));
      return silent.has(box) && now - oldest > DAY_SECONDS ? [{ box, messages: some.length, oldest }] : [];
    })
    .toSorted((a, b) => a.oldest - b.oldest);
}
