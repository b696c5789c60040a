/** The component tree, and states set by hand. */
import { SimulatorError } from '../simulator-error.ts';
import { computeComponentStates, type CountedState, type NoticeState } from './state.ts';
import type { ComponentDocument } from './page-documents.ts';
import { formatTimestamp } from '../simulator-clock.ts';

/** Component id, or unambiguous name. */
export type ComponentKey = number | string;

export interface ComponentDraft {
  name: string;
  /** Default: the next free number. */
  id?: number | undefined;
  parent?: ComponentKey | null | undefined;
  description?: string | undefined;
  /** A manual state, including ones outside the specification. */
  state?: string | undefined;
}

interface ComponentRecord {
  id: number;
  name: string;
  description: string;
  parentId: number | null;
  createdAt: number;
  updatedAt: number;
  computed: CountedState;
  byHand: string | null;
}

export type ComponentTree = ReturnType<typeof createComponentTree>;

/** Starts empty. Names must be unambiguous, else `SimulatorError`. */
export function createComponentTree(now: () => number) {
  let records: ComponentRecord[] = [];
  let nextId = 101;

  function find(key: ComponentKey): ComponentRecord {
    const byId = records.find((record) => record.id === key || String(record.id) === key);
    if (byId !== undefined) return byId;
    const named = records.filter((record) => record.name === key);
    const [only] = named;
    if (only === undefined) throw new SimulatorError(`There is no component ${JSON.stringify(key)}.`);
    if (named.length > 1) {
      throw new SimulatorError(`${named.length} components are called ${JSON.stringify(key)}; use the id.`);
    }
    return only;
  }

  function parentOf(key: ComponentKey | null | undefined): number | null {
    return key === null || key === undefined ? null : find(key).id;
  }

  function change(key: ComponentKey, apply: (record: ComponentRecord) => void): void {
    const record = find(key);
    apply(record);
    record.updatedAt = now();
  }

  return {
    add(draft: ComponentDraft) {
      const id = draft.id ?? nextId;
      if (records.some((record) => record.id === id)) throw new SimulatorError(`Component ${id} exists already.`);
      const parentId = parentOf(draft.parent);
      nextId = Math.max(nextId, id + 1);
      const at = now();
      records.push({
        id,
        name: draft.name,
        description: draft.description ?? '',
        parentId,
        createdAt: at,
        updatedAt: at,
        computed: 'operational',
        byHand: draft.state ?? null,
      });
      return id;
    },
    /** Moves its children to its parent. */
    remove(key: ComponentKey) {
      const gone = find(key);
      records = records.filter((record) => record !== gone);
      for (const record of records) if (record.parentId === gone.id) record.parentId = gone.parentId;
      return gone.id;
    },
    rename(key: ComponentKey, name: string) {
      change(key, (record) => (record.name = name));
    },
    describe(key: ComponentKey, description: string) {
      change(key, (record) => (record.description = description));
    },
    move(key: ComponentKey, parent: ComponentKey | null) {
      const parentId = parentOf(parent);
      const moved = find(key);
      for (let at = parentId; at !== null; at = find(at).parentId) {
        if (at === moved.id) throw new SimulatorError(`Component ${moved.id} cannot stand below itself.`);
      }
      change(key, (record) => (record.parentId = parentId));
    },
    /** Null returns control to the notices. */
    setState(key: ComponentKey, state: string | null) {
      change(key, (record) => (record.byHand = state));
    },
    resolve: (key: ComponentKey) => find(key).id,
    /** Reverses the list: the order of answers is not guaranteed. */
    reverse() {
      records.reverse();
    },
    /** Changes only `updated_at`: the most frequent change of a real page. */
    touch() {
      for (const record of records) record.updatedAt = now();
    },
    /** Recomputes states after notices changed. */
    settle(notices: readonly NoticeState[]) {
      const states = computeComponentStates(records, notices);
      for (const record of records) {
        const computed = states.get(record.id) ?? 'operational';
        if (computed === record.computed) continue;
        record.computed = computed;
        if (record.byHand === null) record.updatedAt = now();
      }
    },
    documents: (): ComponentDocument[] =>
      records.map((record) => ({
        id: record.id,
        state: record.byHand ?? record.computed,
        name: record.name,
        description: record.description,
        parent_id: record.parentId,
        created_at: formatTimestamp(record.createdAt),
        updated_at: formatTimestamp(record.updatedAt),
      })),
  };
}

/** Default page: a hosted-telephony provider. */
export const DEFAULT_PAGE_NAME = 'Southern Cross Voice';

export const DEFAULT_COMPONENTS: readonly ComponentDraft[] = [
  { id: 101, name: 'SIP Trunks', description: 'Calls to and from the public network' },
  { id: 102, name: 'SIP Trunks – Melbourne', parent: 101, description: 'mel1 and mel2' },
  { id: 103, name: 'SIP Trunks – Sydney', parent: 101, description: 'syd1 and syd2' },
  { id: 104, name: 'SIP Trunks – Perth', parent: 101, description: 'per1' },
  { id: 110, name: 'Hosted PBX', description: 'Extensions, queues, voicemail' },
  { id: 111, name: 'Registrations', parent: 110, description: 'Desk phones and softphones signing in' },
  { id: 112, name: 'Call Queues', parent: 110, description: '' },
  { id: 113, name: 'Voicemail', parent: 110, description: '' },
  { id: 120, name: 'SMS', description: 'Messages to and from Australian mobiles' },
  { id: 130, name: 'Number Porting', description: '' },
  { id: 140, name: 'Customer Portal', description: 'portal and dashboard' },
  { id: 141, name: 'Account API', description: '' },
];
