/** `linewatch config detect`: which kind of status page an address is, and the lines for the configuration. */
import { plural } from '../core/text/plain.ts';
import { createLimiter } from '../provider/limiter.ts';
import { detectPage, type Detected, type Undetected } from '../pages/detect.ts';
import { KNOWN_PAGES, type KnownPage } from '../pages/known-pages.ts';
import { CommandFailure, defineCommand, EXIT, UsageError } from './command.ts';
import { proxyOf } from './platform.ts';

const NAMED = 10;

export const configDetect = defineCommand({
  description:
    'Says which kind of status page an address is, how that is known and which components it has, and prints the lines ' +
    'for the configuration. Names of well-known vendors stand for their addresses. The page is asked a few times, once a second.',
  words: [['<page>', 'the address of a status page, or the name of a well-known vendor']],
  options: {},
  examples: [
    ['linewatch config detect https://status.example.com', 'what it is'],
    ['linewatch config detect twilio', 'a well-known vendor by its name'],
  ],
  async run({ platform, args }) {
    const [given = ''] = args;
    const known = KNOWN_PAGES.find(({ name }) => name === given.toLowerCase());
    const address = addressOf(given, known);
    const options = {
      limiter: createLimiter({ requestsPerSecond: 1 }),
      userAgent: `linewatch/${platform.version}`,
      proxy: proxyOf(platform),
    };
    const types = known?.page === undefined || known.page === null ? undefined : ([known.page.type] as const);
    const found = await detectPage(address, options, new AbortController().signal, types);
    if (found.kind === 'undetected') throw new CommandFailure(undetectedText(address, found));
    platform.out.write(`${[...aboutKnown(known), ...linesOf(address, found, known?.name)].join('\n')}\n`);
    return EXIT.done;
  },
});

function addressOf(given: string, known: KnownPage | undefined): string {
  if (known?.page === null) throw new CommandFailure(`${known.called} cannot be watched: ${known.evidence}`);
  if (known !== undefined) return known.page?.url ?? '';
  if (/^https?:\/\//i.test(given) && URL.canParse(given)) return given.replace(/\/+$/, '');
  const names = KNOWN_PAGES.map(({ name }) => name).join(', ');
  throw new UsageError(`"${given}" is neither an address that starts with https:// nor a known name. Known: ${names}`);
}

function aboutKnown(known: KnownPage | undefined): string[] {
  return known === undefined ? [] : [`${known.called}: ${known.evidence}`];
}

function linesOf(address: string, { type, called, name, state, components }: Detected, known?: string): string[] {
  const shown = components.slice(0, NAMED).join(', ');
  const more = components.length > NAMED ? `, and ${components.length - NAMED} more` : '';
  const list = components.length === 0 ? 'no components' : `${plural(components.length, 'component')}: ${shown}${more}`;
  return [
    `${address} is ${called}: it was read as such`,
    `page: ${name ?? 'without a name'}${state === null ? '' : `, ${state.replaceAll('_', ' ')}`}`,
    list,
    '',
    'status_pages:',
    `  - name: ${known ?? nameFrom(name, address)}`,
    ...(type === 'provider' ? [] : [`    type: ${type}`]),
    `    base_url: ${address}`,
  ];
}

function nameFrom(name: string | null, address: string): string {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '');
  return plain(name ?? '').slice(0, 63) || plain(new URL(address).hostname).slice(0, 63);
}

function undetectedText(address: string, { tried }: Undetected): string {
  return [`${address} is no kind of page that is known:`, ...tried.map(({ type, why }) => `  ${type}: ${why}`)].join(
    '\n',
  );
}
