/** Source: zulip.com/api/send-message, "Rate limits"; zulip.com/help/format-your-message-using-markdown. */
import { basic, form, liveInMarkdown, liveInText, unless, type StandIn } from './stand-in.ts';

const TOKEN = 'hushZ1a2B3c4D5e6F7g8H9i0JkLmNoPq';

export const zulip: StandIn = {
  keys: (url) => ({ url, bot: 'linewatch-bot@example.test', token: TOKEN, stream: 'phone system' }),
  secrets: [TOKEN, Buffer.from(`linewatch-bot@example.test:${TOKEN}`).toString('base64')],
  proves: 'shown',
  refuses(request) {
    const { type, to, topic = '', content = '' } = form(request);
    return unless({
      'the address': request.path === '/api/v1/messages' && request.method === 'POST',
      'bot and key': basic(request) === `linewatch-bot@example.test:${TOKEN}`,
      'a form': request.headers['content-type'] === 'application/x-www-form-urlencoded',
      'a channel': type === 'stream' && to === 'phone system',
      'a topic of 60': topic.trim() !== '' && [...topic].length <= 60,
      'a content of 10,000': content.trim() !== '' && [...content].length <= 10_000,
    });
  },
  taken: { status: 200, body: { id: 42, msg: '', result: 'success' } },
  later: [
    { status: 429, body: { code: 'RATE_LIMIT_HIT', 'retry-after': 28.7, result: 'error' }, rest: 28_700 },
    { status: 429, body: { code: 'RATE_LIMIT_HIT', 'retry-after': 3 }, headers: { 'retry-after': '2' }, rest: 2000 },
    { status: 502, rest: null },
    { status: 200, body: '<html></html>', rest: null },
  ],
  never: [
    { status: 400, body: { code: 'STREAM_DOES_NOT_EXIST', msg: `Channel does not exist ${TOKEN}`, result: 'error' } },
    { status: 401, body: { code: 'INVALID_API_KEY', result: 'error' } },
  ],
  live: (request) => [
    ...liveInMarkdown(form(request)['content'] ?? '', '\\`*_{}[]()>#+-.!'),
    ...liveInText(form(request)['topic'] ?? ''),
  ],
  read: (request) => form(request)['content'] ?? '',
};
