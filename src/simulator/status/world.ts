/**
 * The provider's status page as a world: components, notices, and the provider's rules. It answers with documents; a
 * replay may replace them step by step.
 */
import type { SimulatorClock } from '../simulator-clock.ts';
import { type ComponentDraft, type ComponentKey, type ComponentTree, createComponentTree } from './components.ts';
import { composeDocuments, type StatusDocuments } from './page-documents.ts';
import {
  type NoticeBook,
  type NoticeChange,
  type NoticeDraft,
  type SimulatedNotice,
  createNoticeBook,
} from './notices.ts';
import { createPastNotices } from './past-notices.ts';
import { computePageState } from './state.ts';

/** Components of a notice by id or name. */
type NoticeOpening = Omit<NoticeDraft, 'componentIds'> & { components?: readonly ComponentKey[] | undefined };
type NoticeRevision = Omit<NoticeChange, 'componentIds'> & { components?: readonly ComponentKey[] | undefined };

interface StatusWorldOptions {
  clock: Pick<SimulatorClock, 'now'>;
  name?: string | undefined;
  url?: string | undefined;
  components?: readonly ComponentDraft[] | undefined;
  /** Number of closed notices of the last year. Default 0. */
  past?: number | undefined;
  /** Seed of the past notices. Default 1. */
  seed?: number | undefined;
}

export type StatusWorld = ReturnType<typeof createStatusWorld>;

/** Enough for a stale cache; long scenarios must not grow without bound. */
const REMEMBERED_VERSIONS = 20;

/** Times are those of `options.clock`. Actions throw `SimulatorError` for unknown ids. */
export function createStatusWorld(options: StatusWorldOptions) {
  const now = options.clock.now;
  const tree = createComponentTree(now);
  const book = createNoticeBook(now);
  const url = options.url ?? 'https://status.example.com';
  const createdAt = now();
  let name = options.name ?? 'Example Telephony';
  let pageStateByHand: string | null = null;
  let updatedAt = createdAt;
  let replaced: StatusDocuments | null = null;
  const history: StatusDocuments[] = [];
  /** Cache for requests of the same moment. */
  let composed: { at: number; documents: StatusDocuments } | null = null;

  const added = (options.components ?? []).map((draft) => tree.add(draft));
  const { past = 0, seed = 1 } = options;
  for (const draft of createPastNotices(past, { now: createdAt, seed, components: added })) book.open(draft);

  function current(): SimulatedNotice[] {
    return book.records().filter((record) => record.answers === 'detail');
  }

  function computed(): StatusDocuments {
    const at = now();
    if (composed?.at === at) return composed.documents;
    const page = { name, state: pageStateByHand ?? computePageState(current()), url, createdAt, updatedAt };
    const documents = composeDocuments(page, tree.documents(), book.records(), at);
    composed = { at, documents };
    return documents;
  }

  /** All changes pass through here. The previous version is what a stale cache answers with. */
  function change<T>(apply: () => T): T {
    const before = computed();
    composed = null;
    const result = apply();
    history.push(before);
    if (history.length > REMEMBERED_VERSIONS) history.shift();
    tree.settle(current());
    updatedAt = now();
    return result;
  }

  return {
    ...noticeActions({ book, tree, change }),
    ...componentActions({ book, tree, change }),
    setPageState(state: string | null) {
      change(() => {
        pageStateByHand = state;
      });
    },
    renamePage(newName: string) {
      change(() => {
        name = newName;
      });
    },
    /** Changes only `updated_at`. */
    touch() {
      change(() => {
        tree.touch();
        book.touch();
      });
    },
    /** Reverses both lists. */
    reorder() {
      change(() => {
        tree.reverse();
        book.reverse();
      });
    },
    /** Answers with these documents from now on; null returns to the world. */
    replaceDocuments(documents: StatusDocuments | null) {
      history.push(replaced ?? computed());
      if (history.length > REMEMBERED_VERSIONS) history.shift();
      replaced = documents;
    },
    /** Current documents, or those of `versionsAgo` changes ago as far as remembered. */
    documents(versionsAgo = 0) {
      const newest = replaced ?? computed();
      return versionsAgo === 0 ? newest : (history.at(-Math.min(versionsAgo, history.length)) ?? newest);
    },
  };
}

/** Parts of a world, and the function that applies changes. */
interface WorldParts {
  book: NoticeBook;
  tree: ComponentTree;
  change<T>(apply: () => T): T;
}

function noticeActions({ book, tree, change }: WorldParts) {
  function withIds<T extends { components?: readonly ComponentKey[] | undefined }>(
    spoken: T,
  ): Omit<T, 'components'> & { componentIds: readonly number[] | undefined } {
    const { components, ...rest } = spoken;
    return { ...rest, componentIds: components?.map((key) => tree.resolve(key)) };
  }

  function open(opening: NoticeOpening): number {
    return change(() => book.open(withIds(opening)));
  }

  return {
    openNotice: open,
    scheduleMaintenance: (opening: Omit<NoticeOpening, 'type'> & { beginsAt: number; endsAt: number }) =>
      open({ ...opening, type: 'planned' }),
    updateNotice(id: number, revision: NoticeRevision) {
      change(() => {
        book.change(id, withIds(revision));
      });
    },
    /** Default: the usual final state of the type (`resolved`, `complete`). */
    closeNotice(id: number, end: { state?: string | undefined; content?: string | undefined } = {}) {
      const planned = book.records().find((record) => record.id === id)?.type === 'planned';
      change(() => {
        book.change(id, {
          state: end.state ?? (planned ? 'complete' : 'resolved'),
          content: end.content ?? (planned ? 'The maintenance is complete.' : 'This incident has been resolved.'),
        });
      });
    },
    editUpdate(id: number, index: number, content: string) {
      change(() => {
        book.editUpdate(id, index, content);
      });
    },
    /** Appends a text after the end; the state stays. */
    appendReview(id: number, content: string) {
      change(() => {
        book.change(id, { content });
      });
    },
    /** Deletes it: unlisted, and its detail answers 404. */
    withdrawNotice(id: number) {
      change(() => {
        book.hide(id, 'not found');
      });
    },
    /** Unlists it because of age; its detail answers `status`. */
    archiveNotice(id: number, status: 404 | 410) {
      change(() => {
        book.hide(id, status === 410 ? 'gone' : 'not found');
      });
    },
    /** Unlists it; its detail still answers. */
    hideNotice(id: number) {
      change(() => {
        book.hide(id, 'detail');
      });
    },
    restoreNotice(id: number) {
      change(() => {
        book.restore(id);
      });
    },
    latestNotice: () => book.latestId(),
  };
}

function componentActions({ book, tree, change }: WorldParts) {
  return {
    addComponent: (draft: ComponentDraft) => change(() => tree.add(draft)),
    removeComponent(key: ComponentKey) {
      change(() => {
        book.dropComponent(tree.remove(key));
      });
    },
    renameComponent(key: ComponentKey, newName: string) {
      change(() => {
        tree.rename(key, newName);
      });
    },
    describeComponent(key: ComponentKey, description: string) {
      change(() => {
        tree.describe(key, description);
      });
    },
    moveComponent(key: ComponentKey, parent: ComponentKey | null) {
      change(() => {
        tree.move(key, parent);
      });
    },
    /** Manual state; null returns control to the notices. */
    setComponentState(key: ComponentKey, state: string | null) {
      change(() => {
        tree.setState(key, state);
      });
    },
  };
}
