/** Source: developer.atlassian.com, Jira Cloud REST v3: issues, comments, transitions, search by JQL; the document format. */
import { basic, json, unless } from './stand-in.ts';
import { ticketDesk, type Wish } from './ticket-desk.ts';

const TOKEN = 'ATATThushT3xFfGF0abc';

/** The words of a document; null where it is none. */
function wordsOf(value: unknown): string | null {
  const document = value as {
    type?: string;
    version?: number;
    content?: { type: string; content: { type: string; text: string }[] }[];
  };
  if (document?.type !== 'doc' || document.version !== 1) return null;
  const runs = document.content?.flatMap((part) => (part.type === 'paragraph' ? part.content : [])) ?? [];
  return runs.every(({ type, text }) => type === 'text' && text !== '') ? runs.map(({ text }) => text).join('') : null;
}

export const jira = ticketDesk({
  keys: (url) => ({ url, user: 'ops@example.test', token: TOKEN, project: 'OPS', done: '31' }),
  secrets: [TOKEN, Buffer.from(`ops@example.test:${TOKEN}`).toString('base64')],
  never: [
    { status: 401, body: `Basic auth with ${TOKEN} failed` },
    { status: 400, body: { errorMessages: [] } },
  ],
  wishOf(request): Wish {
    if (basic(request) !== `ops@example.test:${TOKEN}`) return 'user and token';
    const { pathname, searchParams } = new URL(request.path, 'http://x');
    if (request.method === 'GET') {
      const [, key = ''] = /^labels="([\w-]+)" ORDER BY created DESC$/.exec(searchParams.get('jql') ?? '') ?? [];
      return pathname === '/rest/api/3/search/jql' && key !== '' ? { does: 'find', key } : 'JQL';
    }
    if (request.method !== 'POST') return 'POST';
    const body = json(request);
    if (pathname === '/rest/api/3/issue') {
      const { project, issuetype, summary, labels, description } = body['fields'] as Record<string, unknown>;
      const text = wordsOf(description);
      const wrong = unless({
        'a project and a type': JSON.stringify([project, issuetype]) === '[{"key":"OPS"},{"name":"Task"}]',
        'a summary of 255 on one line': /^[^\n]{1,255}$/u.test(String(summary)),
        'labels without blanks': Array.isArray(labels) && labels.every((label) => /^\S{1,255}$/.test(String(label))),
        'a document of 32,767': text !== null && text.length <= 32_767,
      });
      const key = String((labels as unknown[])[1]);
      return wrong ?? { does: 'open', key, texts: [String(summary), text ?? ''], customer: undefined };
    }
    const [, id = '', what] = /^\/rest\/api\/3\/issue\/(\d+)\/(comment|transitions)$/.exec(pathname) ?? [];
    if (what === 'comment') {
      return wordsOf(body['body']) === null ? 'a document' : { does: 'note', id, texts: [wordsOf(body['body']) ?? ''] };
    }
    const { transition, update } = body as {
      transition?: { id: string };
      update?: { comment: { add: { body: unknown } }[] };
    };
    const said = wordsOf(update?.comment[0]?.add.body);
    return transition?.id === '31' && said !== null
      ? { does: 'close', id, texts: [said] }
      : 'a transition with a comment';
  },
  opened: ({ id }) => ({ status: 201, body: { id, key: 'OPS-1' } }),
  changed: ({ open }) => (open ? { status: 201, body: { id: '1' } } : { status: 204 }),
  found: (tickets) => ({ status: 200, body: { issues: tickets.slice(0, 1).map(({ id }) => ({ id })), isLast: true } }),
});
