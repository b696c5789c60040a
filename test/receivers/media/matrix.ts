/** Source: the Matrix client-server API, sending events, m.text, "API standards", rate limiting. */
import { json, liveInHtml, liveInText, unless, type StandIn } from './stand-in.ts';

const TOKEN = 'syt_hush_bGluZXdhdGNo_1aB2c3';
const ROOM = '!GhIjKlMn:example.test';

export const matrix: StandIn = {
  keys: (url) => ({ url, room: ROOM, token: TOKEN }),
  secrets: [TOKEN],
  proves: 'shown',
  refuses(request) {
    const { msgtype, body, format, formatted_body: html, 'm.mentions': mentions } = json(request);
    const [, room = '', transaction = ''] =
      /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/?]+)$/.exec(request.path) ?? [];
    return unless({
      'the address': request.method === 'PUT' && decodeURIComponent(room) === ROOM && transaction !== '',
      'the token': request.headers.authorization === `Bearer ${TOKEN}`,
      '65,536 bytes with what the server adds': Buffer.byteLength(request.body) <= 62_000,
      'a kind of text': msgtype === 'm.text' || msgtype === 'm.notice',
      'a text': typeof body === 'string' && body.trim() !== '',
      'HTML beside it': format === 'org.matrix.custom.html' && typeof html === 'string',
      'nobody mentioned': JSON.stringify(mentions) === '{}',
    });
  },
  taken: { status: 200, body: { event_id: '$YUwRidLecu:example.test' } },
  later: [
    { status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 2500 }, rest: 2500 },
    { status: 429, body: { errcode: 'M_LIMIT_EXCEEDED' }, headers: { 'retry-after': '4' }, rest: 4000 },
    { status: 502, body: '<html>', rest: null },
  ],
  never: [
    { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: `Unrecognised access token ${TOKEN}` } },
    { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'User not in room' } },
    { status: 413, body: { errcode: 'M_TOO_LARGE' } },
  ],
  live: (request) => [
    ...liveInText(String(json(request)['body'])),
    ...liveInHtml(String(json(request)['formatted_body'])),
  ],
  read: (request) => String(json(request)['body']),
};
