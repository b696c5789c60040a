/** Source: docs.ntfy.sh/publish, "Publish as JSON" and "Limitations"; its list of error codes. */
import { json, liveInText, unless, type StandIn } from './stand-in.ts';

const [TOPIC, TOKEN] = ['hush-topic-7Qx', 'tk_hushAgQdq7mVBoFD37zQVN29RhuMzNIz2'];

export const ntfy: StandIn = {
  keys: (url) => ({ url: `${url}/`, topic: TOPIC, token: TOKEN }),
  secrets: [TOPIC, TOKEN],
  proves: 'taken',
  refuses(request) {
    const { topic, title, message, priority, tags, click } = json(request);
    return unless({
      'the root of the server': request.path === '/' && request.method === 'POST',
      'the token': request.headers.authorization === `Bearer ${TOKEN}`,
      'the topic': topic === TOPIC,
      'a title': typeof title === 'string' && title !== '' && !title.includes('\n'),
      'at most 4,096 bytes, more becomes an attachment': Buffer.byteLength(String(message)) <= 4096,
      'a priority': [1, 2, 3, 4, 5].includes(Number(priority)) && typeof priority === 'number',
      tags: Array.isArray(tags) && tags.every((tag) => /^\w+$/.test(String(tag))),
      'an address to open': click === undefined || String(click).startsWith('https://'),
    });
  },
  taken: { status: 200, body: { id: 'sPs71M8A2T', time: 1, event: 'message', topic: TOPIC } },
  later: [
    { status: 429, body: { code: 42901, http: 429, error: 'limit reached: too many requests' }, rest: null },
    { status: 429, body: { code: 42908, http: 429, error: 'limit reached: daily message quota reached' }, rest: null },
    { status: 503, headers: { 'retry-after': '12' }, rest: 12_000 },
    { status: 200, body: '<html>Welcome</html>', rest: null },
  ],
  never: [
    { status: 401, body: { code: 40101, http: 401, error: `unauthorized ${TOKEN}` } },
    { status: 403, body: { code: 40301, http: 403, error: `forbidden ${TOPIC}` } },
    { status: 404 },
    { status: 429, body: { code: 42909, http: 429, error: 'limit reached: too many auth failures' } },
  ],
  live: (request) => [json(request)['title'], json(request)['message']].flatMap((text) => liveInText(String(text))),
  read: (request) => [json(request)['title'], json(request)['message']].join('\n'),
};
