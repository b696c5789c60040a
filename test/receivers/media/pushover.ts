/** Source: pushover.net/api, "Pushing Messages", "Limitations", "Being Friendly to our API"; pushover.net/api/receipts, with "Canceling by tag". */
import type { Received } from '../http-peer.ts';
import { form, liveInText, unless, type Reply, type StandIn } from './stand-in.ts';

const [TOKEN, USER] = ['azGDORePK8gMaC0QOYAMyEEuzJnyUi', 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG'];

/** Ends the repetition of all emergencies with this tag. */
function isCancel({ path, method }: Received): boolean {
  return method === 'POST' && /^\/1\/receipts\/cancel_by_tag\/[\w-]+\.json$/.test(path);
}

/** How an emergency goes; `by` is the key of who acknowledged it, `device` the name of the phone. */
interface Emergency {
  tag: string;
  acknowledgedBy: { by: string; device: string } | null;
  isExpired: boolean;
}

const emergencies = new Map<string, Emergency>();

/** Emergencies by their receipt, oldest first. */
export function listEmergencies(): [string, Emergency][] {
  return [...emergencies];
}

/** The person presses the button of the app. */
export function acknowledgeOnPhone(receipt: string | undefined, device = 'iphone'): void {
  const emergency = emergencies.get(receipt ?? '');
  if (emergency === undefined) throw new Error(`there is no receipt ${receipt}`);
  emergency.acknowledgedBy ??= { by: USER, device };
}

/** Nobody acknowledged it in time. */
export function expireOnPhone(receipt: string | undefined): void {
  const emergency = emergencies.get(receipt ?? '');
  if (emergency !== undefined) emergency.isExpired = true;
}

/** The receipt that a request asks for; null for another request. */
export function findAskedReceipt({ path, method }: Received): string | null {
  return method === 'GET' ? (/^\/1\/receipts\/([A-Za-z0-9]{30})\.json\?/.exec(path)?.[1] ?? null) : null;
}

function answerReceipt(receipt: string): Reply {
  const { acknowledgedBy, isExpired } = emergencies.get(receipt) ?? { acknowledgedBy: null, isExpired: false };
  return {
    status: 200,
    body: {
      status: 1,
      acknowledged: acknowledgedBy === null ? 0 : 1,
      acknowledged_at: acknowledgedBy === null ? 0 : 1_360_019_238,
      acknowledged_by: acknowledgedBy?.by ?? '',
      acknowledged_by_device: acknowledgedBy?.device ?? '',
      last_delivered_at: 1_360_001_238,
      expired: isExpired ? 1 : 0,
      expires_at: 1_360_019_290,
      called_back: 0,
      called_back_at: 0,
      request: '5042853c-402d-4a18-abcb-168734a801de',
    },
  };
}

/** Only an emergency has a receipt, of 30 letters and digits. */
function answerMessage(request: Received): Reply {
  const { priority, tags = '' } = form(request);
  const done = { status: 1, request: '647d2300-702c-4b38-8b2f-d56326ae460b' };
  if (priority !== '2') return { status: 200, body: done };
  const receipt = `r${String(emergencies.size + 1).padStart(29, '0')}`;
  emergencies.set(receipt, { tag: tags, acknowledgedBy: null, isExpired: false });
  return { status: 200, body: { ...done, receipt } };
}

export const pushover: StandIn = {
  keys: (url) => ({ url, token: TOKEN, user: USER }),
  secrets: [TOKEN, USER],
  proves: 'taken',
  refuses(request) {
    const receipt = findAskedReceipt(request);
    if (receipt !== null) {
      const token = new URLSearchParams(request.path.split('?')[1]).get('token');
      return unless({ 'the token': token === TOKEN, 'a receipt that it gave': emergencies.has(receipt) });
    }
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
  taken(request) {
    const receipt = findAskedReceipt(request);
    return receipt === null ? answerMessage(request) : answerReceipt(receipt);
  },
  later: [
    { status: 429, body: { status: 0, errors: ['application has exceeded its message limit'] }, rest: null },
    { status: 500, body: { status: 0 }, headers: { 'retry-after': '5' }, rest: 5000 },
  ],
  never: [
    { status: 400, body: { user: 'invalid', errors: ['user identifier is not a valid user'], status: 0 } },
    { status: 400, body: { token: 'invalid', errors: [`application token is invalid ${TOKEN}`], status: 0 } },
  ],
  isEdit: (request) => isCancel(request) || findAskedReceipt(request) !== null,
  live: (request) => [form(request)['title'], form(request)['message']].flatMap((text) => liveInText(text ?? '')),
  read: (request) => [form(request)['title'], form(request)['message']].join('\n'),
};
