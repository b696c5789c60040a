/** The laws of free text in a feed: a sentence leaves the state as it was, wherever it has a state's word, and a label changes it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rss, SITE, watchFeed, type Entry } from '../pages/feed-watch.ts';
import { MINUTE, NOON } from '../pages/vendor-watch.ts';
import { breach } from '../support/runs.ts';

/** As vendors write them, and what they mean. */
const WORDS = {
  investigating: 'investigating',
  identified: 'identified',
  monitoring: 'recovering',
  mitigated: 'recovering',
  resolved: 'resolved',
  postmortem: 'resolved',
  scheduled: 'scheduled',
  'in progress': 'underway',
  verifying: 'underway',
  completed: 'complete',
} as const;
type Word = keyof typeof WORDS;
const ENDS: readonly string[] = ['resolved', 'complete'];

const word = fc.constantFrom<Word>(...(Object.keys(WORDS) as Word[]));
const written = fc
  .tuple(word, fc.constantFrom('lower', 'upper', 'title'))
  .map(([each, form]) =>
    form === 'lower' ? each : form === 'upper' ? each.toUpperCase() : `${each.charAt(0).toUpperCase()}${each.slice(1)}`,
  );
const filler = fc.constantFrom(
  'The',
  'issue',
  'is',
  'not',
  'yet',
  'un',
  'calls,',
  '<b>not</b>',
  'we',
  'status:',
  '(',
  '5',
);
const first = fc.constantFrom(
  'The',
  'It',
  'Calls',
  '<b>Not</b>',
  '<i>We</i>',
  'Update -',
  'Status of',
  '“',
  '<a href="x">See</a>',
);
const joint = fc.constantFrom(' ', ' ', ' ', '\n', '<br>', ' - ', ': ', ' <b></b>');
const around = fc.constantFrom<[string, string]>(
  ['', ''],
  ['<b>', '</b>'],
  ['<strong>', '</strong>'],
  ['[', ']'],
  ['“', '”'],
);
const behind = fc.constantFrom('', ' -', ':', ' –', '.', ' too early', '<br>');
const frame = fc.constantFrom<[string, string]>(
  ['<p>', '</p>'],
  ['<div>', '</div>'],
  ['<li>', '</li>'],
  ['', '\n\n'],
  ['', '<br><br>'],
);

/** A state's word anywhere but at the beginning. */
const sentence = fc
  .tuple(
    first,
    fc.array(fc.tuple(filler, joint), { maxLength: 4 }),
    joint,
    written,
    around,
    behind,
    fc.array(filler, { maxLength: 3 }),
  )
  .map(([begin, before, joined, said, [opening, closing], sign, after]) =>
    [begin, ' ', ...before.flat(), 'yet', joined, opening, said, closing, sign, ' ', after.join(' ')]
      .join('')
      .trimEnd(),
  );
/** A sentence whose first word is a state's, marked or not. */
const leading = fc
  .tuple(
    written,
    fc.constantFrom('', '<b>', '<strong>', '<span class="x">'),
    filler,
    fc.array(filler, { maxLength: 3 }),
  )
  .map(([said, opening, next, after]) => {
    const closing = opening.replace(/<(\w+).*/, '</$1>');
    return `${opening}${said}${closing} was ${next} ${after.join(' ')}`.trimEnd();
  });
const paragraph = fc
  .tuple(frame, fc.oneof(sentence, leading))
  .map(([[opening, closing], text]) => `${opening}${text}${closing}`);
const freeText = fc.array(paragraph, { minLength: 1, maxLength: 4 }).map((all) => all.join(''));

const label = fc.tuple(
  word,
  fc.constantFrom<(said: string) => string>(
    (said) => `${said} - `,
    (said) => `${said}: `,
    (said) => `${said.toUpperCase()} – `,
    (said) => `<strong>${said}</strong> - `,
    (said) => `<b>Status: ${said}</b><br>`,
    (said) => `<h4>${said}</h4>`,
    (said) => `Status: ${said} - `,
    (said) => `<small>Mar 2, 12:01:00 GMT</small><br><b>${said}</b> - `,
  ),
);
/** A label that begins a paragraph, in front of and behind free text. */
const labelled = fc
  .tuple(fc.option(freeText), label, frame, sentence, fc.option(freeText))
  .map(([before, [said, write], [opening, closing], text, after]) => ({
    state: WORDS[said] as string,
    text: [before === null ? '' : `<div>${before}</div>`, opening, write(said), text, closing, after ?? ''].join(''),
  }));

const ENTRY = { id: '7', link: `${SITE}/incidents/7`, title: 'No calls' };

it('free text leaves every state as it was, and a label changes it', async () => {
  const rounds = fc.array(fc.oneof(freeText, labelled), { minLength: 1, maxLength: 8 });
  const law = async (texts: readonly (string | { state: string; text: string })[]): Promise<void> => {
    const { page, show, news } = await watchFeed();
    let state = 'investigating';
    const see = async (entry: Entry): Promise<void> => {
      show(rss([entry]));
      await news();
      const known = page.watch.state.snapshot.notices?.find(({ id }) => id === ENTRY.link);
      const alert = page.watch.state.alerts.find(({ family }) => family === 'notice')?.status;
      const isOver = ENDS.includes(state);
      expect([known?.state, known?.closedAt !== null, alert]).toEqual([state, isOver, isOver ? 'resolved' : 'open']);
    };
    await see({ ...ENTRY, text: 'Investigating - Calls fail.' });
    for (const [nth, each] of texts.entries()) {
      if (typeof each !== 'string') ({ state } = each);
      await see({ ...ENTRY, at: NOON + (nth + 1) * MINUTE, text: typeof each === 'string' ? each : each.text });
    }
  };
  expect(await breach(rounds, law, 1000)).toBeNull();
});

it('a title with a word in it leaves every state as it was', async () => {
  const title = fc
    .tuple(
      fc.constantFrom('Calls', 'Not', 'The'),
      written,
      fc.constantFrom('tickets', 'in part', '!', '- in part', '] not'),
    )
    .map((parts) => parts.join(' '));
  const law = async (titles: readonly string[]): Promise<void> => {
    const { page, show, news } = await watchFeed();
    for (const [nth, each] of ['No calls', ...titles].entries()) {
      show(rss([{ ...ENTRY, at: NOON + nth * MINUTE, title: each, text: 'Status: identified' }]));
      await news();
      expect(page.watch.state.snapshot.notices?.find(({ id }) => id === ENTRY.link)?.state).toBe('identified');
    }
  };
  expect(await breach(fc.array(title, { minLength: 1, maxLength: 4 }), law, 200)).toBeNull();
});
