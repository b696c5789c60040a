/** Page of the link "Seen" in a weekly message: opening it proves that people read the messages of the receiver. */
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { formatList } from '../../core/text/plain.ts';
import { renderBarePage } from '../access/sign-in-page.ts';
import type { Fragment } from '../look/icons.ts';
import { show, type Env } from '../responses.ts';
import type { Web } from '../web.ts';

/** Programs that open links for a preview: no person has read the message yet. */
const PREVIEW = /bot\b|bot[-/ ]|preview|linkexpanding|unfurl|crawler|spider|facebookexternalhit|whatsapp|skypeuri/i;

/** Open without a sign-in: it reveals the name of a receiver to people who have its link. */
export function addSeenRoute(app: Hono<Env>, web: Web): void {
  app.get('/seen/:token{[a-z0-9]{1,60}}', async (c) => {
    const isPrefetch = /prefetch|preview/i.test(
      `${c.req.header('purpose') ?? ''} ${c.req.header('sec-purpose') ?? ''}`,
    );
    // A HEAD request is answered by this route as well.
    if (c.req.method !== 'GET' || isPrefetch || PREVIEW.test(c.req.header('user-agent') ?? '')) {
      return await show(c, renderSeen('This link is for people'), web.redact);
    }
    const answer = await web.changes.seen(c.req.param('token'));
    if (typeof answer === 'string') return await show(c, renderSeen(answer), web.redact, 404);
    return await show(c, renderSeen(`Thank you: messages to ${formatList(answer.receivers)} are read`), web.redact);
  });
}

function renderSeen(sentence: string): Fragment {
  return renderBarePage('../', sentence, html`<p class="small soft">You can close this page.</p>`);
}
