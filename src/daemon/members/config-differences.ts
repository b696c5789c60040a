/** Differences between the configurations of other members and this one's, read once for each. */
import type { MemberBase } from './member-base.ts';
import { compareDigests, type ConfigDigest } from '../../config/config-digest.ts';
import { describeDifference, type ConfigDifference } from '../../core/engine/member-trouble.ts';
import { readParts, type Member } from '../../store/postgres/members.ts';

/** `than`: the member it was compared with; null if it is the same, or unknown. */
type Difference = { than: string; parts: ConfigDifference } | null;

/** A member with the difference of its configuration. */
export interface ComparedMember extends Member {
  difference: Difference;
}

/** The returned function logs each difference once, and rejects with `DatabaseError`. */
export function createComparison({
  database,
  instance,
  name: self,
  digest,
  log,
}: Pick<MemberBase, 'database' | 'instance' | 'name' | 'digest' | 'log'>) {
  /** By member: hashes of the two configurations, and their difference. */
  const known = new Map<string, { hashes: string; difference: Difference }>();

  async function differenceOf({ name, configuration }: Member): Promise<Difference> {
    const own = digest();
    if (name === self || configuration === null || configuration === own.hash) return null;
    const hashes = `${own.hash} ${configuration}`;
    const before = known.get(name);
    if (before?.hashes === hashes) return before.difference;
    const parts = await readParts(database, instance, name);
    if (parts === null) return null;
    const difference = { than: self, parts: compareDigests(own.parts, JSON.parse(parts) as ConfigDigest['parts']) };
    known.set(name, { hashes, difference });
    const say = (): string => `${name} has another configuration: ${describeDifference(difference.parts)}`;
    log.warn('Another member has another configuration', { member: name, ...difference.parts }, say);
    return difference;
  }

  return (members: readonly Member[]): Promise<ComparedMember[]> =>
    Promise.all(members.map(async (member) => ({ ...member, difference: await differenceOf(member) })));
}
