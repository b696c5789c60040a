/** Source: twilio.com/docs/messaging/api/message-resource, error dictionary (21211, 21610, 21611, 20003, 20429). */
import { liveInSms, septets } from './sms.ts';
import { basic, form, unless, type StandIn } from './stand-in.ts';

const [ACCOUNT, TOKEN] = [`AC${'0123456789abcdef'.repeat(2)}`, 'hush0f1e2d3c4b5a69788796a5b4c3d2'];

export const smsTwilio: StandIn = {
  keys: (url) => ({ url, account: ACCOUNT, token: TOKEN, from: '+61400000001', to: '+61400000002' }),
  secrets: [TOKEN, Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')],
  proves: 'taken',
  refuses(request) {
    const { To, From, Body = '', ValidityPeriod = '' } = form(request);
    return unless({
      'the address': request.path === `/2010-04-01/Accounts/${ACCOUNT}/Messages.json` && request.method === 'POST',
      'account and token': basic(request) === `${ACCOUNT}:${TOKEN}`,
      'a form': request.headers['content-type'] === 'application/x-www-form-urlencoded',
      'both numbers': To === '+61400000002' && From === '+61400000001',
      'one part': Body !== '' && (septets(Body) ?? 161) <= 160,
      'minutes, not hours': Number(ValidityPeriod) >= 1 && Number(ValidityPeriod) <= 3600,
    });
  },
  taken: { status: 201, body: { sid: 'SM1', status: 'queued' } },
  later: [
    { status: 429, body: { code: 20429, message: 'Too Many Requests' }, headers: { 'retry-after': '1' }, rest: 1000 },
    { status: 400, body: { code: 21611, message: 'queue full' }, rest: null },
    { status: 500, rest: null },
  ],
  never: [
    { status: 401, body: { code: 20003, message: `Authenticate ${TOKEN}` } },
    { status: 400, body: { code: 21211, message: 'invalid To' } },
    { status: 400, body: { code: 21610, message: 'unsubscribed' } },
  ],
  live: (request) => liveInSms(form(request)['Body'] ?? ''),
  read: (request) => form(request)['Body'] ?? '',
};
