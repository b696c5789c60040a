import type { skillsets } from '../../../provider/catalogue/skillsets.ts';
import type { Answers } from '../../simulated-reply.ts';
import { refuseMissingRecord } from '../refusal.ts';
import { toSkillsetRow } from '../agent-skillsets.ts';
import type { WorldOf } from './world-of.ts';

/** Finds a skillset by id or name. */
export function createSkillsetAnswers(worldOf: WorldOf): Answers<typeof skillsets> {
  return {
    'skillsets.agent-status.list': (_input, call) => {
      const { skillsets: all, extensions } = worldOf(call);
      return all.map((skillset) => toSkillsetRow(skillset, extensions.byNumber));
    },
    'skillsets.agent-status.show': ({ agent_status: key }, call) => {
      const { skillsets: all, extensions } = worldOf(call);
      const skillset = all.find(({ id, name }) => String(id) === key || name === key);
      return skillset === undefined
        ? refuseMissingRecord('Skillset', key)
        : toSkillsetRow(skillset, extensions.byNumber);
    },
  };
}
