/** One alert, as it is remembered and as the history has it: either may know more, and of what is long over only the history does. */
import { pastStory, storyFrom, type PastStory } from '../core/view/past-story.ts';
import type { Story } from '../core/view/story.ts';
import type { Web } from './web.ts';

export async function storyOf(
  web: Pick<Web, 'story' | 'past' | 'picture'>,
  number: number,
): Promise<{ story: Story | null; past: PastStory | null }> {
  const known = web.story(number);
  // What has become part of another alert is told there.
  const kept = await web.past(known?.number ?? number);
  const story = known ?? (kept === null ? null : storyFrom(kept));
  if (kept === null || story === null) return { story, past: null };
  const { timezone, sources, now } = web.picture();
  const names = (source: string, id: string): string | null => {
    const found = sources.find(({ name }) => name === source);
    return found?.type === 'status page' ? (found.components.all.find((one) => one.id === id)?.name ?? null) : null;
  };
  const past = pastStory(kept, { timezone, now, names, customer: () => null });
  // Once it is over it hits nobody any more.
  const affected = story.status === 'resolved' && past.affected.length > 0 ? past.affected : story.affected;
  return { story: { ...story, affected }, past };
}
