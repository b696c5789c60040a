/** Skillsets without an agent who can take a call, in their staffed hours. */
import { isWithin } from '../text/hours.ts';
import type { Agent, Skillset } from './call-model.ts';
import type { SkillsetSettings } from './call-settings.ts';

export type Unstaffed = Readonly<Record<string, number>>;

export interface UnstaffedSkillset {
  skillset: string;
  since: number;
  /** Available, but none of their phones is registered; empty where no one is Available. */
  unregistered: Agent[];
  available: number;
  wanted: number;
}

const AVAILABLE = 'Available';

/**
 * Outside staffed hours nothing is counted. `before`: start of each shortage in epoch milliseconds, by the name in the
 * settings or the skillset's own name. `isRegistered`: null if unknown.
 */
export function judgeSkillsets(
  before: Unstaffed,
  skillsets: readonly Skillset[],
  settings: readonly SkillsetSettings[],
  { now, isRegistered }: { now: number; isRegistered(extension: string): boolean | null },
): { unstaffed: Unstaffed; found: UnstaffedSkillset[] } {
  const unstaffed: Record<string, number> = {};
  const found: UnstaffedSkillset[] = [];
  for (const { name, staffed, atLeast, forMs } of settings) {
    const skillset = skillsets.find((one) => one.name === name || one.id === name);
    if (skillset === undefined || !isWithin(staffed, now)) continue;
    const available = skillset.agents.filter(({ status }) => status === AVAILABLE);
    const able = available.filter(({ extension }) => isRegistered(extension) !== false);
    if (able.length >= atLeast) continue;
    const since = before[name] ?? before[skillset.name] ?? now;
    unstaffed[name] = since;
    if (now - since < forMs) continue;
    const unregistered = able.length === 0 ? available : [];
    found.push({ skillset: skillset.name, since, unregistered, available: able.length, wanted: atLeast });
  }
  return { unstaffed, found };
}
