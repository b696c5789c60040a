/**
 * A stand-in for Slack's Web API, as strict as its documentation: docs.slack.dev, chat.postMessage, chat.update,
 * "Rate limits", reference of blocks.
 */
import { httpPeer, status, type HttpPeer, type Received } from './http-peer.ts';

export const TOKEN = 'xoxb-17653672481-hush-19874698323';
export const CHANNEL = 'C024BE91L';

export interface Post {
  ts: string;
  /** Of the thread it stands in; null for what stands in the channel alone. */
  thread: string | null;
  broadcast: boolean;
  body: Record<string, unknown>;
  /** As it was edited last. */
  edits: Record<string, unknown>[];
}

export interface SlackWebApi {
  peer: HttpPeer;
  posts: Post[];
  complaints: string[];
  /** Answers the next request so. */
  next: (code: number, body: unknown, headers?: Record<string, string>) => void;
  /** Takes the next request, and its answer never arrives. */
  loseNext: () => void;
}

export async function slackWebApi(): Promise<SlackWebApi> {
  const peer = await httpPeer();
  let canned: (() => ReturnType<typeof status>) | null = null;
  let isLost = false;
  const api: SlackWebApi = {
    peer,
    posts: [],
    complaints: [],
    next: (code, body, headers = {}) => (canned = () => status(code, JSON.stringify(body), headers)),
    loseNext: () => (isLost = true),
  };

  function answerTo(request: Received): unknown {
    const body = JSON.parse(request.body) as Record<string, unknown>;
    const refuse = (error: string): unknown => {
      api.complaints.push(error);
      return { ok: false, error };
    };
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return refuse('invalid_auth');
    if (request.headers['content-type'] !== 'application/json; charset=utf-8') return refuse('invalid_post_type');
    if (body['channel'] !== CHANNEL) return refuse('channel_not_found');
    const blocks = [body['blocks'], ...(body['attachments'] as { blocks: unknown }[]).map((one) => one.blocks)];
    if (blocks.some((some) => !Array.isArray(some) || some.length === 0 || some.length > 50)) {
      return refuse('invalid_blocks');
    }
    if (typeof body['text'] !== 'string' || body['text'].length > 40_000) return refuse('msg_too_long');
    if (request.path === '/chat.update') {
      const post = api.posts.find(({ ts }) => ts === body['ts']);
      if (post === undefined) return refuse('message_not_found');
      post.edits.push(body);
      return { ok: true, channel: CHANNEL, ts: post.ts };
    }
    if (request.path !== '/chat.postMessage') return refuse('unknown_method');
    const thread = body['thread_ts'] ?? null;
    if (thread !== null && !api.posts.some(({ ts }) => ts === thread)) return refuse('thread_not_found');
    const ts = `1503435956.${String(api.posts.length + 1).padStart(6, '0')}`;
    const broadcast = body['reply_broadcast'] === true;
    api.posts.push({ ts, thread: thread as string | null, broadcast, body, edits: [] });
    return { ok: true, channel: CHANNEL, ts, message: body };
  }

  peer.answer = (response) => {
    const made = canned;
    canned = null;
    if (made !== null) return made()(response);
    const request = peer.received.at(-1);
    const answer = request === undefined ? {} : answerTo(request);
    if (isLost) {
      isLost = false;
      return void response.socket?.destroy();
    }
    status(200, JSON.stringify(answer))(response);
  };
  return api;
}
