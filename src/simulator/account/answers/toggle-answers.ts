import type { actionToggles } from '../../../provider/catalogue/action-toggles.ts';
import { type Answers, type RawReply, createJsonReply } from '../../simulated-reply.ts';
import { refuseMissingRecord } from '../refusal.ts';
import type { ToggleRecord } from '../toggle-book.ts';
import type { WorldOf } from './world-of.ts';

/** Bypasses the schema, because tests may set a status to any value. */
function shown({ id, name, status }: ToggleRecord): Pick<ToggleRecord, 'id' | 'name' | 'status'> {
  return { id, name, status };
}

/** 404 for an unknown id. */
export function createToggleAnswers(worldOf: WorldOf): Answers<typeof actionToggles> {
  function withToggle<T>(
    toggle: ToggleRecord | undefined,
    id: number,
    answer: (toggle: ToggleRecord) => T,
  ): T | RawReply {
    return toggle === undefined ? refuseMissingRecord('ActionToggle', id) : answer(toggle);
  }
  return {
    'action-toggles.list': (_input, call) => createJsonReply(200, worldOf(call).toggles.all().map(shown)),
    'action-toggles.create': ({ name, status }, call) => ({ id: worldOf(call).toggles.add(name, status ?? false) }),
    'action-toggles.show': ({ action_toggle: id }, call) =>
      withToggle(worldOf(call).toggles.byId(id), id, (toggle) => createJsonReply(200, shown(toggle))),
    'action-toggles.update': ({ action_toggle: id, name, status }, call) =>
      withToggle(worldOf(call).toggles.byId(id), id, (toggle) => {
        if (name !== undefined) toggle.name = name;
        if (status !== undefined) toggle.status = status;
        return createJsonReply(200, shown(toggle));
      }),
    'action-toggles.delete': ({ action_toggle: id }, call) =>
      withToggle(worldOf(call).toggles.byId(id), id, (toggle) => {
        worldOf(call).toggles.remove(toggle);
        return { status: 'success' };
      }),
  };
}
