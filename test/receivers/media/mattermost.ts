/** Source: developers.mattermost.com, Incoming webhooks and Message attachments; docs, Format text. */
import { json, liveInMarkdown, liveInText, unless, type StandIn } from './stand-in.ts';

const TOKEN = 'hushxgq7rmfb3yqkwd1ptz9e';
const PATH = `/hooks/${TOKEN}`;

interface Attachment {
  text?: string;
  fallback?: string;
  color?: string;
}

function attachmentOf(body: Record<string, unknown>): Attachment {
  return (body['attachments'] as Attachment[])[0] ?? {};
}

export const mattermost: StandIn = {
  keys: (url) => ({ url: `${url}${PATH}` }),
  secrets: [TOKEN],
  proves: 'shown',
  refuses(request) {
    const { text = '', fallback = '', color = '' } = attachmentOf(json(request));
    return unless({
      'the address': request.path === PATH && request.method === 'POST',
      JSON: request.headers['content-type'] === 'application/json',
      'at most 16,383 characters': [...text].length <= 16_383 && text.trim() !== '',
      'a text for what shows no attachments': fallback.trim() !== '',
      'a colour': /^#[0-9a-f]{6}$/.test(color),
    });
  },
  taken: { status: 200, body: 'ok' },
  later: [
    { status: 429, headers: { 'x-ratelimit-reset': '1', 'retry-after': '1' }, rest: 1000 },
    { status: 500, body: { id: 'store.sql_post.save.app_error' }, rest: null },
    { status: 200, body: '<html>Log in</html>', rest: null },
  ],
  never: [
    { status: 400, body: { id: 'web.incoming_webhook.invalid.app_error', message: `Invalid webhook ${TOKEN}` } },
    { status: 403, body: { id: 'api.post.create_post.can_not_post_to_deleted.error' } },
    { status: 404 },
    { status: 200, body: { success: false, error: 'error-invalid-channel' } },
  ],
  live(request) {
    const { text = '', fallback = '' } = attachmentOf(json(request));
    return [...liveInMarkdown(text, '\\`*{}[]()#+-.!_>~|'), ...liveInText(fallback)];
  },
  read: (request) => attachmentOf(json(request)).text ?? '',
};
