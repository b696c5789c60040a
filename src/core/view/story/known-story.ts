/** One alert, as it is remembered and as the history has it: either may know more, and of what is long over only the history does. */
import type { AlertStory } from '../../history/rows.ts';
import { pastStory, storyFrom, type PastStory } from './past-story.ts';
import type { Picture } from '../picture.ts';
import type { AlertInPicture } from '../picture-of.ts';
import type { Story } from './story.ts';

export interface StoryHistory {
  /** An alert as the history has it; null where it has none of this number, or why it cannot be read, in a sentence. */
  story(number: number, alert?: string): Promise<AlertStory | string | null>;
}

export interface StorySources {
  alert(number: number): AlertInPicture;
  past: StoryHistory;
  /** Called with what of the history could not be shown. */
  failed(what: string, error: unknown): void;
}

interface StoryAndPast {
  story: Story | null;
  past: PastStory | null;
}

/** `story` is null where nobody knows of it, `unread` why the history cannot be read, which is left out then. */
export async function readStory(
  { alert, past, failed }: StorySources,
  number: number,
): Promise<StoryAndPast & { picture: Picture; unread: string | null }> {
  const { picture, story, labelsOf } = alert(number);
  // What has become part of another alert is told there.
  const answer = await past.story(story?.number ?? number, story?.id);
  const unread = typeof answer === 'string' ? answer : null;
  const kept = typeof answer === 'string' ? null : answer;
  const known = story ?? (kept === null ? null : storyFrom(kept));
  if (kept === null || known === null) return { picture, story: known, past: null, unread };
  try {
    return { picture, unread, ...withPast(known, kept, { picture, labelsOf }) };
  } catch (error) {
    // A row that another version wrote must not take along what else is known.
    failed(`the history of alert #${number}`, error);
    return { picture, story: known, past: null, unread };
  }
}

/** As messages call an account, where several are watched. */
function customerIn(sources: Picture['sources'], source: string): string | null {
  const accounts = sources.filter(({ type }) => type === 'account');
  return accounts.length < 2 ? null : (accounts.find(({ name }) => name === source)?.called ?? null);
}

function withPast(story: Story, kept: AlertStory, { picture, labelsOf }: Omit<AlertInPicture, 'story'>): StoryAndPast {
  const { timezone, sources, now } = picture;
  const names = (source: string, id: string): string | null => {
    const found = sources.find(({ name }) => name === source);
    return found?.type === 'status page' ? (found.components.all.find((one) => one.id === id)?.name ?? null) : null;
  };
  const past = pastStory(kept, { timezone, now, names, customer: (source) => customerIn(sources, source) }, labelsOf);
  // Once it is over it hits nobody any more.
  const affected = story.status === 'resolved' && past.affected.length > 0 ? past.affected : story.affected;
  // What is remembered says how it stands: one may have been ended since.
  const remembered = new Set(story.silences.map(({ id }) => id));
  const forgotten = past.silences.filter(({ id }) => !remembered.has(id));
  const silences = [...forgotten, ...story.silences].toSorted((a, b) => a.from - b.from);
  return { story: { ...story, affected, silences }, past };
}
