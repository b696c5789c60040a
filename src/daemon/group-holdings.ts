/** The groups that this member leads, how it takes and gives them back, and how the others hear of it. */
import type { SourceGroup } from '../config/groups.ts';
import { findMaximum, findMinimum } from '../core/transition/collections.ts';
import type { Log } from '../log/log.ts';
import type { Database } from '../store/postgres/connection.ts';
import { leaseOf } from '../store/postgres/group-leases.ts';
import { giveBackLease, renewLease, takeLease, type Claim, type Term } from '../store/postgres/lease.ts';
import type { Leads, Member, MemberStanding } from '../store/postgres/members.ts';
import type { Wakeups } from '../store/postgres/wakeups.ts';
import type { Clock } from './clock.ts';
import { FORMAT } from './documents.ts';
import { hold, type LeaseAccess, type Tenure } from './leadership.ts';
import { mayLead } from './membership.ts';
import type { Roll } from './roll.ts';

/** A group that this member leads. */
export interface Led {
  group: SourceGroup;
  tenure: Tenure;
}

export interface HoldingsDeps {
  instance: string;
  name: string;
  /** This process, and no other that ever was. */
  holder: string;
  leaseMs: number;
  database: Database;
  /** Of the groups whose daemons run here. */
  troubles(): NonNullable<Leads['troubles']>;
  /** The others hear at once what is given back. */
  wakeups: Pick<Wakeups, 'wake'>;
  roll: Roll;
  clock: Clock;
  log: Log;
}

/** Holds nothing before `take`. `layout`: how this member divides the sources now. */
export function createHoldings(
  { instance, name, holder, leaseMs, database, troubles, wakeups, roll, clock, log }: HoldingsDeps,
  layout: () => string,
) {
  const led = new Map<number, Led>();
  let isRetired = false;
  const term = (group: number, epoch: number): Term => ({ instance, name: leaseOf(group), holder, epoch });

  /** `taken`: what it leads from now on, by group. */
  async function report(
    standing?: MemberStanding,
    taken: readonly [group: number, epoch: number][] = [],
  ): Promise<void> {
    const here = [...led].map(([group, { tenure }]) => ({ group, epoch: tenure.epoch, share: tenure.share() }));
    const all = [...here, ...taken.map(([group, epoch]) => ({ group, epoch, share: 1 }))];
    const leads = {
      layout: layout(),
      groups: all.map(({ group }) => group).toSorted((a, b) => a - b),
      troubles: troubles(),
    };
    const says = standing ?? (all.length > 0 ? 'leading' : 'standing by');
    const epoch = findMaximum(all.map((one) => one.epoch));
    const share = findMinimum(all.map((one) => one.share));
    await roll.say(isRetired ? 'stopped' : says, all.length === 0 ? null : { epoch, share }, leads);
  }

  function accessTo(group: number): LeaseAccess {
    return {
      take: () => Promise.resolve(null),
      renew: (epoch) => renewLease(database, term(group, epoch), leaseMs),
      async giveBack(epoch, slots) {
        led.delete(group);
        // In this order the next one knows that it asks no more.
        await report();
        await giveBackLease(database, term(group, epoch), slots);
        await wakeups.wake();
      },
      rivals: () => roll.members.filter((other) => other.name !== name && mayLeadGroup(other, group, layout())).length,
    };
  }

  return {
    led,
    term,
    report,
    async take(group: SourceGroup, seen: Pick<Claim, 'lapsed' | 'freeMs'>): Promise<void> {
      const { number } = group;
      const asked = { at: clock.monotonic(), wall: clock.now() };
      const claim = { instance, name: leaseOf(number), holder, format: FORMAT, leaseMs, layout: layout(), ...seen };
      const taken = await takeLease(database, claim);
      if (taken === null) return;
      try {
        await report(undefined, [[number, taken.epoch]]);
      } catch (error) {
        // Where the next one could not know that this one has led, it must not begin.
        await giveBackLease(database, term(number, taken.epoch), taken.slots).catch(() => undefined);
        throw error;
      }
      led.set(number, { group, tenure: hold({ lease: accessTo(number), leaseMs, clock, log }, taken, asked) });
    },
    async retire(): Promise<void> {
      isRetired = true;
      if (roll.said !== null) await report();
    },
  };
}

/** Whoever knows of no groups leads them all, and by another division any source of them may be among its own. */
function mayLeadGroup(member: Member, group: number, layout: string): boolean {
  if (!mayLead(member)) return false;
  return member.leads === null || member.leads.layout !== layout || member.leads.groups.includes(group);
}
