/** One alert, as it is remembered and as the history has it: either may know more, and of what is long over only the history does. */
import type { AlertStory } from '../core/history/rows.ts';
import { pastStory, storyFrom, type PastStory } from '../core/view/past-story.ts';
import type { Picture } from '../core/view/picture.ts';
import type { Story } from '../core/view/story.ts';
import type { Web } from './web.ts';

interface StoryAndPast {
  story: Story | null;
  past: PastStory | null;
}

export async function storyOf(
  web: Pick<Web, 'alert' | 'past' | 'failed'>,
  number: number,
): Promise<StoryAndPast & { picture: Picture }> {
  const { picture, story } = web.alert(number);
  // What has become part of another alert is told there.
  const kept = await web.past(story?.number ?? number);
  const known = story ?? (kept === null ? null : storyFrom(kept));
  if (kept === null || known === null) return { picture, story: known, past: null };
  try {
    return { picture, ...withPast(known, kept, picture) };
  } catch (error) {
    // A row that another version wrote must not take along what else is known.
    web.failed(`the history of alert #${number}`, error);
    return { picture, story: known, past: null };
  }
}

function withPast(story: Story, kept: AlertStory, { timezone, sources, now }: Picture): StoryAndPast {
  const names = (source: string, id: string): string | null => {
    const found = sources.find(({ name }) => name === source);
    return found?.type === 'status page' ? (found.components.all.find((one) => one.id === id)?.name ?? null) : null;
  };
  const past = pastStory(kept, { timezone, now, names, customer: () => null });
  // Once it is over it hits nobody any more.
  const affected = story.status === 'resolved' && past.affected.length > 0 ? past.affected : story.affected;
  return { story: { ...story, affected }, past };
}
