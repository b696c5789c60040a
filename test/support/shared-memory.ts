/** Documents of other members without a database: what was set is read at the next refresh, as far as it has changed. */
import type { OpenShared } from '../../src/daemon/members/other-shard.ts';
import type { DocumentName } from '../../src/store/document-name.ts';

export interface SharedMemory {
  open: OpenShared;
  /** Saves a document of all shards. */
  save(which: DocumentName, schema: number, value: object): void;
  /** Numbers of the shards that were opened, in turn. */
  readonly opened: number[];
  /** How many refreshes there were. */
  readonly reads: number;
  /** Called at each refresh; default: answers at once. */
  before: () => Promise<void>;
}

export function createSharedMemory(): SharedMemory {
  const saved = new Map<string, { which: DocumentName; schema: number; text: string }>();
  const keyOf = ({ kind, name }: DocumentName): string => `${kind} ${name}`;
  const opened: number[] = [];
  const memory: SharedMemory & { reads: number } = {
    opened,
    reads: 0,
    before: () => Promise.resolve(),
    save: (which, schema, value) => void saved.set(keyOf(which), { which, schema, text: JSON.stringify(value) }),
    open(shard, { sources, keep }) {
      opened.push(shard);
      const kept = new Map<string, { text: string; which: DocumentName; value: object }>();
      const isOfShard = ({ kind, name }: DocumentName): boolean =>
        kind !== 'source' || sources.names.includes(name) !== sources.isExcluded;
      return {
        async refresh() {
          memory.reads += 1;
          await memory.before();
          let isChanged = false;
          for (const [key, { which, schema, text }] of saved) {
            if (!isOfShard(which) || kept.get(key)?.text === text) continue;
            kept.set(key, { text, which, value: keep(which, { schema, value: JSON.parse(text) }) });
            isChanged = true;
          }
          return isChanged;
        },
        get: (which) => kept.get(keyOf(which))?.value ?? null,
        list: (kind) => [...kept.values()].flatMap(({ which }) => (which.kind === kind ? [which.name] : [])).toSorted(),
      };
    },
  };
  return memory;
}
