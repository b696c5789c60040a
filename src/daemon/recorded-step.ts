/** What a recorded history is made of, as it is played: steps in the order of their times, and what holds at a moment. */
import type { RecordedAnswer } from '../provider/recorded-answer.ts';
import type { Raw } from '../provider/status-rows.ts';

/** Everything the status interface would have answered, in its own shapes. */
export interface RecordedPage {
  page: Raw;
  components: readonly Raw[];
  notices: readonly Raw[];
  /** By notice id; one that is missing answers 404. */
  details: ReadonlyMap<string, Raw>;
}

/** What the account interface answered; a part that is not there is as it was before. */
export interface RecordedAccount {
  name: string;
  registrations?: RecordedAnswer;
  extensions?: RecordedAnswer;
  toggles?: RecordedAnswer;
}

/** The operations a watch asks of an account, by the part of a step that holds their answers. */
export const ACCOUNT_OPERATIONS = {
  registrations: 'registrations.list',
  extensions: 'extensions.list',
  toggles: 'action-toggles.list',
} as const;

export interface RecordedStep {
  /** Epoch milliseconds. */
  at: number;
  page?: RecordedPage | undefined;
  account?: RecordedAccount | undefined;
}

export interface Dated<T> {
  at: number;
  value: T;
}

export interface Course<T> {
  /** What holds now: the latest at or before this moment; before the first the first, and null where there is none. */
  now(): Dated<T> | null;
  /** When something else will hold; null for never. */
  changesAt(): number | null;
}

/** Time only goes forward here: nothing is looked for twice. */
export function courseOf<T>(all: readonly Dated<T>[], clock: { now(): number }): Course<T> {
  let place = 0;
  function advance(): void {
    const now = clock.now();
    for (let next = all[place + 1]; next !== undefined && next.at <= now; next = all[place + 1]) place += 1;
  }
  return {
    now() {
      advance();
      return all[place] ?? null;
    },
    changesAt() {
      advance();
      return all[place + 1]?.at ?? null;
    },
  };
}
