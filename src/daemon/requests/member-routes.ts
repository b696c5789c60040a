/** Request about the members that share the database: forget one that is gone. */
import * as z from 'zod';
import { ControlRefusal, type ControlRoutes } from '../../control/protocol.ts';
import { formatList } from '../../core/text/plain.ts';
import type { MembersView } from '../../core/view/picture.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { readAsk } from './asking.ts';

const forgetAsk = z.strictObject({ name: z.string().min(1) });

export interface MemberContract {
  'member.forget': { ask: { name: string }; answer: Record<string, never> };
}

/** The members as one of them sees them. */
export interface KnownMembers {
  view(): MembersView;
  /** Reads the current state of the other members. Rejects with `DatabaseError`. */
  refresh(): Promise<void>;
  /** Removes all state of a member. Rejects with `DatabaseError`. */
  forget(name: string): Promise<void>;
}

/** `members` returns null if the state is in files. Rejects with `ControlRefusal` if a member cannot be forgotten. */
export function memberRoutes(members: () => KnownMembers | null): ControlRoutes<MemberContract> {
  return {
    async 'member.forget'(ask) {
      const { name } = readAsk(forgetAsk, ask);
      const known = members();
      if (known === null) throw new ControlRefusal('The state is in files: there are no members.');
      try {
        await known.refresh();
        refuseUnlessGone(known.view(), name);
        await known.forget(name);
      } catch (error) {
        if (error instanceof DatabaseError) throw new ControlRefusal(`${error.message} Nothing was changed.`);
        throw error;
      }
      return {};
    },
  };
}

function refuseUnlessGone({ self, all }: MembersView, name: string): void {
  const member = all.find((one) => one.name === name);
  if (member === undefined) {
    const names = all.map((one) => one.name);
    throw new ControlRefusal(`There is no member ${name}; known are ${formatList(names, Infinity)}.`);
  }
  const isGone = member.standing === 'silent' || member.standing === 'stopped';
  if (name === self || !isGone) throw new ControlRefusal(`${name} takes part now: stop it first.`);
}
