/** Source: developer.atlassian.com, Jira Service Management ops, Integration Events; docs.opsgenie.com, Alert API. */
import { json, liveInText, unless, type StandIn } from './stand-in.ts';

const TOKEN = 'hush-eb243592-faa2-4ba2-a551q-1afdf565c889';

export const jsm: StandIn = {
  keys: (url) => ({ url: `${url}/jsm/ops/integration/`, token: TOKEN }),
  secrets: [TOKEN],
  proves: 'taken',
  refuses(request) {
    const { message, alias, description = '', priority, source = '', note, tags, details } = json(request);
    const [, ofAlias, action] =
      /^\/jsm\/ops\/integration\/v2\/alerts(?:\/([\w-]+)\/(close|acknowledge|notes)\?identifierType=alias)?$/.exec(
        request.path,
      ) ?? [null];
    const isNew = action === undefined;
    return unless({
      'the address': (isNew ? String(alias) : ofAlias)?.startsWith('linewatch-') === true && request.method === 'POST',
      'the key': request.headers.authorization === `GenieKey ${TOKEN}`,
      JSON: request.headers['content-type'] === 'application/json',
      'a message of 130':
        !isNew || (typeof message === 'string' && message.trim() !== '' && [...message].length <= 130),
      'a description of 15,000': [...String(description)].length <= 15_000,
      'an alias of 512': String(alias ?? ofAlias).length <= 512,
      'a priority': !isNew || /^P[1-5]$/.test(String(priority)),
      'a source of 100': String(source).length <= 100,
      'tags and details': !isNew || (Array.isArray(tags) && (details === undefined || typeof details === 'object')),
      'a note of 25,000': isNew || (typeof note === 'string' && note !== '' && note.length <= 25_000),
    });
  },
  taken: { status: 202, body: { result: 'Request will be processed', took: 0.1, requestId: 'r' } },
  later: [
    { status: 429, body: { message: 'You are making too many requests!' }, rest: null },
    { status: 503, headers: { 'retry-after': '9' }, rest: 9000 },
    { status: 200, body: '<html></html>', rest: null },
  ],
  never: [
    { status: 401, body: { message: `Could not authenticate ${TOKEN}` } },
    { status: 403, body: { message: 'Api Key is not allowed' } },
    { status: 422, body: { message: 'Request body is not processable.' } },
  ],
  live(request) {
    const { message, description, note } = json(request);
    return [message, description, note].flatMap((text) => liveInText(String(text ?? '')));
  },
  read(request) {
    const { message, description, note } = json(request);
    return [message, description, note].join('\n');
  },
};
