/** Skillsets and the status of their agents. Specification sections 2.B and 4.B, Skillsets. */
import * as z from 'zod';
import { integer, stateText, text } from '../field-kinds.ts';
import { describeOperations } from '../operation.ts';
import { textParam } from './common.ts';
import { AGENT_STATUSES } from './extensions.ts';

const agent = z.looseObject({
  agent_uuid: text('Id of the agent.'),
  user_id: text('The extension number.'),
  name: text('Name of the agent.'),
  agent_status: stateText(AGENT_STATUSES, 'Status of the agent.'),
  agent_wrap_time: integer('Seconds before the next call.'),
  agent_busy_delay_time: integer('Seconds before a busy agent is tried again.'),
  agent_call_timeout: integer('Seconds the agent is rung.'),
});

const skillset = z.looseObject({
  id: integer('Id of the skillset.'),
  name: text('Name of the skillset.'),
  agents: z.record(z.string(), agent).meta({ description: 'By id of the agent.' }),
  status_counts: z.record(z.string(), z.int()).meta({ description: 'How many agents have each status.' }),
});

export const skillsets = describeOperations('account', {
  'skillsets.agent-status.list': {
    verbs: ['GET'],
    path: '/api/v1/pbx/skillsets/agent-status',
    result: z.array(skillset),
    effect: 'read',
    summary: 'List the skillsets with the status of their agents',
    section: '4.B Skillsets',
  },
  'skillsets.agent-status.show': {
    verbs: ['GET'],
    path: '/api/v1/pbx/skillsets/agent-status/{agent_status}',
    params: z.strictObject({ agent_status: textParam('Id or name of the skillset.') }),
    result: skillset,
    effect: 'read',
    summary: 'Show a skillset with the status of its agents',
    section: '4.B Skillsets',
  },
});
