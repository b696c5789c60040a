/** Source: developers.google.com/workspace/chat, spaces.messages.create, "Format messages", Limits. */
import { json, liveInHtml, liveInText, unless, type StandIn } from './stand-in.ts';

const [KEY, TOKEN] = ['AIzaSyHushDuE', 'hush-vhR7Mq_eW0'];
const PATH = `/v1/spaces/AAAA/messages?key=${KEY}&token=${TOKEN}`;

interface Body {
  thread?: { threadKey?: string };
  fallbackText?: string;
  cardsV2?: { cardId: string; card: { sections: { widgets: { textParagraph: { text: string } }[] }[] } }[];
}

function textOf({ cardsV2 = [] }: Body): string {
  return cardsV2
    .flatMap(({ card }) => card.sections.flatMap(({ widgets }) => widgets.map((one) => one.textParagraph.text)))
    .join('\n');
}

export const googlechat: StandIn = {
  keys: (url) => ({ url: `${url}${PATH}` }),
  secrets: [KEY, TOKEN],
  proves: 'shown',
  refuses(request) {
    const body = json(request) as Body;
    return unless({
      'the address, with what makes a thread':
        request.path === `${PATH}&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD`,
      JSON: request.headers['content-type']?.startsWith('application/json') === true && request.method === 'POST',
      '32,000 bytes': Buffer.byteLength(request.body) <= 32_000,
      'a key of the thread': /^[\w-]{1,4000}$/.test(body.thread?.threadKey ?? ''),
      'a text': textOf(body).trim() !== '' && (body.fallbackText ?? '').trim() !== '',
      'a card with an id': body.cardsV2?.length === 1 && body.cardsV2[0]?.cardId !== '',
    });
  },
  taken: { status: 200, body: { name: 'spaces/AAAA/messages/1', thread: { name: 'spaces/AAAA/threads/1' } } },
  later: [
    { status: 429, body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, rest: null },
    { status: 503, headers: { 'retry-after': '3' }, rest: 3000 },
  ],
  never: [
    { status: 400, body: { error: { code: 400, message: `Invalid ${TOKEN}` } } },
    { status: 403, body: { error: { code: 403, message: `key ${KEY}` } } },
    { status: 404, body: { error: { code: 404 } } },
  ],
  live(request) {
    const body = json(request) as Body;
    return [...liveInHtml(textOf(body)), ...liveInText(body.fallbackText ?? '')];
  },
  read: (request) => textOf(json(request)),
};
