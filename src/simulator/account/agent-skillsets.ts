/** Skillsets: agents by queue, and how many of them are available. */
import { AGENT_STATUSES } from '../../provider/catalogue/extensions.ts';
import type { ExtensionRecord } from './extension-book.ts';

export interface SimulatedSkillset {
  id: number;
  name: string;
  /** Extension numbers; those that are no longer agents are ignored. */
  members: string[];
}

/** Two skillsets for a small company; the second has every other agent. */
export function seedSkillsets(extensions: readonly ExtensionRecord[]): SimulatedSkillset[] {
  const agents = extensions.filter((extension) => extension.agent_mode).map((extension) => extension.user_id);
  return [
    { id: 21, name: 'Support', members: agents },
    { id: 22, name: 'Sales', members: agents.filter((_, index) => index % 2 === 0) },
  ];
}

/** `find` looks up an extension by number; members that are no agents are left out. */
export function toSkillsetRow(skillset: SimulatedSkillset, find: (number: string) => ExtensionRecord | undefined) {
  const agents = skillset.members.flatMap((number) => {
    const extension = find(number);
    return extension?.agent_mode === true && extension.agentUuid !== null
      ? { ...extension, uuid: extension.agentUuid }
      : [];
  });
  const counts: Record<string, number> = Object.fromEntries(AGENT_STATUSES.map((status) => [status, 0]));
  for (const { agent_status: status } of agents) {
    counts[status ?? 'Logged Out'] = (counts[status ?? 'Logged Out'] ?? 0) + 1;
  }
  return {
    id: skillset.id,
    name: skillset.name,
    agents: Object.fromEntries(
      agents.map((agent) => [
        agent.uuid,
        {
          agent_uuid: agent.uuid,
          user_id: agent.user_id,
          name: agent.name,
          agent_status: agent.agent_status ?? 'Logged Out',
          agent_wrap_time: agent.agent_wrap_time ?? 10,
          agent_busy_delay_time: agent.agent_busy_delay_time ?? 10,
          agent_call_timeout: agent.agent_call_timeout ?? 10,
        },
      ]),
    ),
    status_counts: counts,
  };
}
