/** One alert from memory and from the history: either may have more, and old alerts are in the history only. */
import { findByName } from '../../transition/collections.ts';
import type { AlertStory } from '../../history/rows.ts';
import { buildAlertHistory, buildStoryFromHistory, type AlertHistory } from './alert-history.ts';
import type { SystemStatus } from '../system-status.ts';
import type { AlertInStatus } from '../build-status.ts';
import type { Story } from './story.ts';

export interface StoryHistory {
  /**
   * An alert in the history; null if it has none of this number, or the reason why it cannot be read, in a sentence.
   */
  story(number: number, alert?: string): Promise<AlertStory | string | null>;
}

export interface StorySources {
  alert(number: number): AlertInStatus;
  history: StoryHistory;
  /** Called with the part of the history that could not be displayed. */
  failed(what: string, error: unknown): void;
}

interface StoryAndHistory {
  story: Story | null;
  history: AlertHistory | null;
}

/**
 * `story` is null for an unknown alert; `unread` is the reason why the history cannot be read and is omitted. Numbers
 * begin at 1 again after the state was deleted: `id` is of the alert that is meant; default: the latest of this number.
 */
export async function readStory(
  { alert, history, failed }: StorySources,
  number: number,
  id?: string,
): Promise<StoryAndHistory & { status: SystemStatus; unread: string | null }> {
  const { status, story: remembered, labelsOf } = alert(number);
  const story = id === undefined || remembered?.id === id ? remembered : null;
  // An absorbed alert is described in the one that absorbed it.
  const answer = await history.story(story?.number ?? number, story?.id ?? id);
  const unread = typeof answer === 'string' ? answer : null;
  const kept = typeof answer === 'string' ? null : answer;
  const known = story ?? (kept === null ? null : buildStoryFromHistory(kept));
  if (kept === null || known === null) return { status, story: known, history: null, unread };
  try {
    return { status, unread, ...addHistory(known, kept, { status, labelsOf }) };
  } catch (error) {
    // A row written by another version must not prevent the display of everything else.
    failed(`the history of alert #${number}`, error);
    return { status, story: known, history: null, unread };
  }
}

/** Name of an account as in messages, if several are watched. */
function customerIn(sources: SystemStatus['sources'], source: string): string | null {
  const accounts = sources.filter(({ type }) => type === 'account');
  return accounts.length < 2 ? null : (accounts.find(({ name }) => name === source)?.called ?? null);
}

function addHistory(
  story: Story,
  kept: AlertStory,
  { status, labelsOf }: Omit<AlertInStatus, 'story'>,
): StoryAndHistory {
  const { timezone, sources, now } = status;
  const names = (source: string, id: string): string | null => {
    const found = findByName(sources, source);
    return found?.type === 'status page' ? (found.components.all.find((one) => one.id === id)?.name ?? null) : null;
  };
  const history = buildAlertHistory(
    kept,
    { timezone, now, names, customer: (source) => customerIn(sources, source) },
    labelsOf,
  );
  // A resolved alert no longer affects anything: shows the recorded effects.
  const affected = story.status === 'resolved' && history.affected.length > 0 ? history.affected : story.affected;
  // Remembered silences are current, while recorded ones may have been ended since.
  const remembered = new Set(story.silences.map(({ id }) => id));
  const forgotten = history.silences.filter(({ id }) => !remembered.has(id));
  const silences = [...forgotten, ...story.silences].toSorted((a, b) => a.from - b.from);
  return { story: { ...story, affected, silences }, history };
}
