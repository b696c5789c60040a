/** Source: developers.clicksend.com/docs/messaging/sms, "Send SMS", and its list of status codes. */
import { liveInSms, septets } from './sms.ts';
import { basic, json, unless, type StandIn } from './stand-in.ts';

const TOKEN = 'HUSH0000-1111-2222-3333-444455556666';

function said(status: string) {
  return { status: 200, body: { http_code: 200, response_code: 'SUCCESS', data: { messages: [{ status }] } } };
}

function messageOf(body: Record<string, unknown>): Record<string, unknown> {
  return (body['messages'] as Record<string, unknown>[])[0] ?? {};
}

export const smsClicksend: StandIn = {
  keys: (url) => ({ url, user: 'ops', token: TOKEN, to: '+61400000002' }),
  secrets: [TOKEN, Buffer.from(`ops:${TOKEN}`).toString('base64')],
  proves: 'taken',
  refuses(request) {
    const { to, from, body } = messageOf(json(request));
    return unless({
      'the address': request.path === '/v3/sms/send' && request.method === 'POST',
      'user and key': basic(request) === `ops:${TOKEN}`,
      JSON: request.headers['content-type'] === 'application/json',
      'a number': to === '+61400000002',
      'no sender where none is configured': from === undefined,
      'one part': typeof body === 'string' && body !== '' && (septets(body) ?? 161) <= 160,
    });
  },
  taken: said('SUCCESS'),
  later: [
    { status: 429, rest: null },
    { status: 503, headers: { 'retry-after': '30' }, rest: 30_000 },
    { status: 200, body: '<html></html>', rest: null },
  ],
  never: [
    said('INSUFFICIENT_CREDIT'),
    said('INVALID_RECIPIENT'),
    { status: 401, body: { response_code: 'UNAUTHORIZED', response_msg: `Authorization failed ${TOKEN}` } },
  ],
  live: (request) => liveInSms(String(messageOf(json(request))['body'])),
  read: (request) => String(messageOf(json(request))['body']),
};
