/** Source: pushover.net/api, "Pushing Messages", "Limitations", "Being Friendly to our API"; pushover.net/api/receipts, "Canceling by tag". */
import type { Received } from '../http-peer.ts';
import { form, liveInText, unless, type StandIn } from './stand-in.ts';

const [TOKEN, USER] = ['azGDORePK8gMaC0QOYAMyEEuzJnyUi', 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG'];

/** Ends the repetition of all emergencies with this tag. */
function isCancel({ path, method }: Received): boolean {
  return method === 'POST' && /^\/1\/receipts\/cancel_by_tag\/[\w-]+\.json$/.test(path);
}

export const pushover: StandIn = {
  keys: (url) => ({ url, token: TOKEN, user: USER }),
  secrets: [TOKEN, USER],
  proves: 'taken',
  refuses(request) {
    if (isCancel(request)) return unless({ 'the token alone': form(request)['token'] === TOKEN });
    const {
      token,
      user,
      title = '',
      message = '',
      priority = '0',
      retry = '0',
      expire = '0',
      url = '',
      url_title: name = '',
      tags = '',
    } = form(request);
    const isUrgent = priority === '2';
    return unless({
      'the address': request.path === '/1/messages.json' && request.method === 'POST',
      'a form': request.headers['content-type'] === 'application/x-www-form-urlencoded',
      'token and user': token === TOKEN && user === USER,
      'a title of 250 characters': [...title].length <= 250,
      'a message of 1 to 1,024 characters': message.trim() !== '' && [...message].length <= 1024,
      'a priority': ['-2', '-1', '0', '1', '2'].includes(priority),
      'how often and how long an emergency rings':
        !isUrgent || (Number(retry) >= 30 && Number(expire) > 0 && Number(expire) <= 10_800),
      'tags that an address takes': /^[\w,-]*$/.test(tags),
      'an address of 512 and its name of 100': url.length <= 512 && name.length <= 100,
    });
  },
  taken: { status: 200, body: { status: 1, request: '647d2300-702c-4b38-8b2f-d56326ae460b' } },
  later: [
    { status: 429, body: { status: 0, errors: ['application has exceeded its message limit'] }, rest: null },
    { status: 500, body: { status: 0 }, headers: { 'retry-after': '5' }, rest: 5000 },
  ],
  never: [
    { status: 400, body: { user: 'invalid', errors: ['user identifier is not a valid user'], status: 0 } },
    { status: 400, body: { token: 'invalid', errors: [`application token is invalid ${TOKEN}`], status: 0 } },
  ],
  isEdit: isCancel,
  live: (request) => [form(request)['title'], form(request)['message']].flatMap((text) => liveInText(text ?? '')),
  read: (request) => [form(request)['title'], form(request)['message']].join('\n'),
};
