/** Source: learn.microsoft.com, "Create incoming webhooks with Workflows" and the schema of Adaptive Cards 1.4. */
import { json, liveInText, unless, type StandIn } from './stand-in.ts';

const PATH = '/workflows/0f3c9a1b7d/triggers/manual/paths/invoke?api-version=2016-06-01&sig=hush-Sgn4tur3';

/** All values under a key, however deep. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner as unknown] : []),
    ...valuesOf(inner, key),
  ]);
}

export const teams: StandIn = {
  keys: (url) => ({ url: `${url}${PATH}` }),
  secrets: ['hush-Sgn4tur3', '0f3c9a1b7d'],
  proves: 'accepted',
  refuses(request) {
    const { type, attachments } = json(request) as { type: string; attachments: Record<string, unknown>[] };
    const [card] = attachments.map(({ content }) => content as Record<string, unknown>);
    const elements = ['AdaptiveCard', 'Container', 'RichTextBlock', 'TextRun', 'Action.OpenUrl'];
    return unless({
      'the address': request.path === PATH && request.method === 'POST',
      '28,672 bytes, of which their own envelope takes more than 4,000': Buffer.byteLength(request.body) <= 20_000,
      'a message with one card': type === 'message' && attachments.length === 1,
      'the type of an Adaptive Card': attachments[0]?.['contentType'] === 'application/vnd.microsoft.card.adaptive',
      'version 1.4 at most': card?.['type'] === 'AdaptiveCard' && card['version'] === '1.4',
      'elements that Teams shows': valuesOf(card, 'type').every((one) => elements.includes(String(one))),
      'runs with a text': valuesOf(card, 'inlines')
        .flat()
        .every((run) => typeof (run as { text: unknown }).text === 'string'),
      'web addresses': valuesOf(card, 'actions')
        .flat()
        .every((action) => (action as { url: string }).url.startsWith('https://')),
    });
  },
  taken: { status: 202 },
  later: [
    { status: 429, headers: { 'retry-after': '30' }, rest: 30_000 },
    { status: 503, body: 'busy', rest: null },
    {
      status: 200,
      body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
      rest: null,
    },
  ],
  never: [
    { status: 400, body: { error: { code: 'WorkflowNotEnabled' } } },
    { status: 404 },
    { status: 200, body: '1' },
  ],
  live: (request) => valuesOf(json(request), 'text').flatMap((text) => liveInText(String(text))),
  read: (request) => valuesOf(json(request), 'text').join('\n'),
};
