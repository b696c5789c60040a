/**
 * `linewatch config detect`: find the type of a status page by its address, and print the lines for the configuration.
 */
import { stringify } from 'yaml';
import { dropDuplicates } from '../../core/page/groups.ts';
import { formatCount, formatState } from '../../core/text/plain.ts';
import { createPageEntry } from '../../config/presets/template-entries.ts';
import type { Detected } from '../../pages/detect.ts';
import { CommandFailure, defineCommand, EXIT } from '../command.ts';
import {
  describeChoice,
  lookFor,
  NAMED,
  parseSoughtPage,
  toWantedPage,
  explainUndetected,
  type SoughtPage,
} from './sought-page.ts';

export const configDetect = defineCommand({
  description:
    'Says which kind of status page an address is, how that is known and which components it has, and prints the lines ' +
    'for the configuration. Names of well-known vendors stand for their addresses. The page is asked some fifteen times, once a second.',
  words: [['<page>', 'the address of a status page, or the name of a well-known vendor']],
  options: {},
  examples: [
    ['linewatch config detect https://status.example.com', 'what it is'],
    ['linewatch config detect twilio', 'a well-known vendor by its name'],
  ],
  async run({ platform, args }) {
    const [given = ''] = args;
    const sought = parseSoughtPage(given);
    const found = await lookFor(sought, platform);
    if (found.kind !== 'detected') {
      throw new CommandFailure([explainUndetected(sought, found), ...asKnown(sought)].join('\n'));
    }
    const { known } = sought;
    const about = known === null ? [] : [`${known.called}: ${known.evidence}`];
    platform.out.write(`${[...about, ...linesOf(sought, found)].join('\n')}\n`);
    return EXIT.done;
  },
});

/** Known facts, used while the page cannot be requested. */
function asKnown(sought: SoughtPage): string[] {
  const { known, address } = sought;
  if (known?.page === undefined || known.page === null) return [];
  return [`As known of it: type: ${known.page.type}, base_url: ${address} (${known.evidence})`];
}

function linesOf({ address, known }: SoughtPage, found: Detected): string[] {
  const { called, by, name, state, choice } = found;
  const components = dropDuplicates(found.components);
  const shown = components
    .slice(0, NAMED)
    .map(({ name: each }) => each)
    .join(', ');
  const more = components.length > NAMED ? `, and ${components.length - NAMED} more` : '';
  const list =
    components.length === 0 ? 'no components' : `${formatCount(components.length, 'component')}: ${shown}${more}`;
  const isMoved = new URL(found.address).origin !== new URL(address).origin;
  return [
    `${found.address} is ${called}: ${by} answers in that form`,
    ...(found.system === null ? [] : [`The page is one of ${found.system.called}: ${found.system.about}`]),
    ...(isMoved ? [`${address} leads there`] : []),
    `page: ${name ?? 'without a name'}${state === null ? '' : `, ${formatState(state)}`}`,
    list,
    ...(choice === null ? [] : [describeChoice(choice)]),
    '',
    stringify(
      { status_pages: [createPageEntry(toWantedPage(found, known, []))] },
      { lineWidth: 0, indentSeq: true },
    ).trimEnd(),
  ];
}
