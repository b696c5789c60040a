/** Request to forget a member of the database that is gone. */
import * as z from 'zod';
import { ControlRefusal } from '../../control/protocol.ts';
import { formatList } from '../../core/text/plain.ts';
import type { MembersView } from '../../core/view/system-status.ts';
import { DatabaseError } from '../../store/postgres/database-error.ts';
import { defineRequest } from './request.ts';

/** Refuses a member that takes part now. */
export const FORGET_MEMBER = defineRequest({
  name: 'member.forget',
  asks: z.strictObject({ name: z.string().min(1) }),
  changes: true,
  async answer({ members }, { name }) {
    const known = members?.() ?? null;
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
});

function refuseUnlessGone({ self, all }: MembersView, name: string): void {
  const member = all.find((one) => one.name === name);
  if (member === undefined) {
    const names = all.map((one) => one.name);
    throw new ControlRefusal(`There is no member ${name}; known are ${formatList(names, Infinity)}.`);
  }
  const isGone = member.standing === 'silent' || member.standing === 'stopped';
  if (name === self || !isGone) throw new ControlRefusal(`${name} takes part now: stop it first.`);
}
