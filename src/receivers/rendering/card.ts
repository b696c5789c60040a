/**
 * Renders a message as an Adaptive Card 1.4, the newest version that Teams shows from a workflow. All text is in text
 * runs, which have no Markdown.
 */
import { joinNames } from '../../core/text/plain.ts';
import { defuse } from '../../core/text/defuse.ts';
import type { MessageContent, Tone } from '../../core/wording/message-content.ts';
import { fitPieces, measureBy, splitContent, type Piece } from './pieces.ts';
import type { Json } from '../http/preset.ts';

const STYLES: Readonly<Record<Tone, string>> = {
  info: 'accent',
  warning: 'warning',
  critical: 'attention',
  resolved: 'good',
  ended: 'emphasis',
};

/** Bytes of a text run besides its text. */
const RUN = 110;
const BUTTONS = 4;
const HEADLINE = 300;

type Run = Readonly<Record<string, Json>>;

/** Card of at most `room` bytes, approximately. */
export function renderAdaptiveCard(content: MessageContent, room: number): Json {
  const measure = measureBy((text) => Buffer.byteLength(JSON.stringify(defuse(text))) + RUN);
  const { kept, isCut } = fitPieces(splitContent(content), room - HEADLINE * 4, measure);
  const links = content.links.slice(-BUTTONS);
  return {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.4',
    body: [
      {
        type: 'Container',
        style: STYLES[content.tone],
        bleed: true,
        items: [
          line([run(measure.cut(content.headline, HEADLINE + RUN), { weight: 'Bolder', size: 'Medium' })]),
          line([run(measure.cut(content.kicker, HEADLINE + RUN), { isSubtle: true })]),
        ],
      },
      ...kept.flatMap(renderPiece),
      ...(isCut ? [line([run('Shortened: the rest is behind the link.', { isSubtle: true })])] : []),
    ],
    ...(links.length > 0 && {
      actions: links.map(({ text, url }) => ({ type: 'Action.OpenUrl', title: text, url })),
    }),
    msteams: { width: 'Full' },
  };
}

function renderPiece({ kind, label, items, inline }: Piece): Json[] {
  const heading = label === null ? [] : [run(`${label}: `, { weight: 'Bolder' })];
  if (kind === 'note') return [line(items.map((text) => run(text, { isSubtle: true })))];
  if (inline && kind !== 'quote') return [line([...heading, run(joinNames(items))])];
  const texts = items.flatMap((item) => item.split('\n')).map((text) => (kind === 'list' ? `• ${text}` : text));
  return [
    ...(heading.length === 0 ? [] : [line(heading)]),
    ...texts.filter((text) => text !== '').map((text) => line([run(text)], 'None')),
  ];
}

function run(text: string, more: Run = {}): Run {
  return { type: 'TextRun', text: defuse(text), ...more };
}

function line(inlines: readonly Run[], spacing = 'Small'): Json {
  return { type: 'RichTextBlock', spacing, inlines };
}
