import { createReceiver, type ReceiverOptions } from '../../src/receivers/create.ts';
import { NOW, TIMEZONE } from '../support/messages.ts';
import { httpPeer, status } from './http-peer.ts';
import { CERTIFICATE, smtpPeer } from './smtp-peer.ts';
import { receiverSuite, type Peer } from './suite.ts';

const SECRET = 'hush-7f3a9c';

function setting(timeoutMs: number) {
  return { timezone: TIMEZONE, instance: 'hq', externalUrl: null, clock: () => NOW, timeoutMs };
}

function overHttp(good: number, options: (url: string) => ReceiverOptions): () => Promise<Peer> {
  return async () => {
    const peer = await httpPeer();
    return {
      receiver: (timeoutMs) => createReceiver(options(`${peer.url}/${SECRET}?key=${SECRET}`), setting(timeoutMs)),
      accept: () => (peer.answer = status(good, 'ok')),
      refuseForNow: () => (peer.answer = status(503, `try ${SECRET} later`)),
      refuseForGood: () => (peer.answer = status(404, `nothing at ${SECRET}`)),
      hang: () => (peer.answer = () => undefined),
      arrived: async () => void (await peer.nextRequest()),
      count: () => peer.received.length,
      close: peer.close,
      secrets: [SECRET],
    };
  };
}

receiverSuite(
  'Slack',
  overHttp(200, (webhookUrl) => ({ type: 'slack', name: 'ops', webhookUrl })),
);
receiverSuite(
  'a webhook',
  overHttp(204, (url) => ({ type: 'webhook', name: 'bus', url, secret: SECRET })),
);
receiverSuite(
  'PagerDuty',
  overHttp(202, (url) => ({ type: 'pagerduty', name: 'pager', url, routingKey: SECRET })),
);

receiverSuite(
  'Alertmanager',
  overHttp(200, (url) => ({ type: 'alertmanager', name: 'am', url, headers: { authorization: SECRET } })),
);

receiverSuite('email', async () => {
  const peer = await smtpPeer({ password: SECRET });
  const smtp = {
    host: '127.0.0.1',
    port: peer.port,
    security: 'starttls',
    username: 'linewatch',
    password: SECRET,
    ca: CERTIFICATE,
  } as const;
  return {
    receiver: (timeoutMs) =>
      createReceiver(
        { type: 'email', name: 'mail', smtp, from: 'Linewatch <linewatch@example.test>', to: ['ops@example.test'] },
        setting(timeoutMs),
      ),
    accept: () => peer.replies.clear(),
    refuseForNow: () => peer.replies.set('DATA', `451 4.3.0 try ${SECRET} later`),
    refuseForGood: () => peer.replies.set('DATA', `554 5.7.1 we do not like ${SECRET}`),
    hang: () => (peer.hang = true),
    arrived: peer.nextMail,
    count: () => peer.received.length,
    close: peer.close,
    secrets: [SECRET, Buffer.from(SECRET).toString('base64')],
  };
});

receiverSuite('a terminal', async () => {
  const written: string[] = [];
  const waiting: (() => void)[] = [];
  let write: (text: string) => Promise<void> | void = () => undefined;
  const peer: Peer = {
    receiver: (timeoutMs) =>
      createReceiver(
        {
          type: 'terminal',
          name: 'screen',
          timezone: 'UTC',
          style: () => ({ width: 80, colour: true }),
          write: async (text) => {
            for (const wake of waiting.splice(0)) wake();
            await write(text);
            written.push(text);
          },
        },
        setting(timeoutMs),
      ),
    accept: () => (write = () => undefined),
    refuseForNow: () => {
      write = () => {
        throw Object.assign(new Error(`write ${SECRET}`), { code: 'EIO' });
      };
    },
    refuseForGood: null,
    hang: () => (write = async () => await new Promise(() => undefined)),
    arrived: async () => await new Promise((resolve) => waiting.push(resolve)),
    count: () => written.length,
    close: async () => await Promise.resolve(),
    secrets: [SECRET],
  };
  return await Promise.resolve(peer);
});
