/** Source: core.telegram.org/bots/api, sendMessage, editMessageText, ReplyParameters, ResponseParameters and "Making requests". */
import { json, liveInText, unless, type StandIn } from './stand-in.ts';

const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

function error(code: number, description: string, parameters?: object) {
  return { status: code, body: { ok: false, error_code: code, description, ...(parameters && { parameters }) } };
}

interface Reply {
  message_id?: unknown;
}

export const telegram: StandIn = {
  keys: (url) => ({ url, token: TOKEN, chat: '-1001234567890' }),
  secrets: [TOKEN],
  proves: 'shown',
  refuses(request) {
    const { chat_id: chat, text, parse_mode: mode, entities, link_preview_options: preview, ...more } = json(request);
    const { message_id: edited, reply_parameters: reply } = more as { message_id?: unknown; reply_parameters?: Reply };
    const isEdit = request.path === `/bot${TOKEN}/editMessageText`;
    return unless({
      'the method of the bot': (isEdit || request.path === `/bot${TOKEN}/sendMessage`) && request.method === 'POST',
      'the message to edit, as a whole number': isEdit === Number.isSafeInteger(edited),
      'the message to answer, as a whole number':
        reply === undefined || (!isEdit && Number.isSafeInteger(reply.message_id)),
      JSON: request.headers['content-type'] === 'application/json',
      'a chat': String(chat) === '-1001234567890',
      '1 to 4,096 characters': typeof text === 'string' && text.trim() !== '' && text.length <= 4096,
      'whole characters': typeof text === 'string' && text.isWellFormed(),
      'no markup': mode === undefined && entities === undefined,
      'no preview': (preview as { is_disabled?: boolean } | undefined)?.is_disabled === true,
    });
  },
  taken: { status: 200, body: { ok: true, result: { message_id: 8_100_411, date: 1 } } },
  later: [
    { ...error(429, 'Too Many Requests: retry after 7', { retry_after: 7 }), rest: 7000 },
    { ...error(500, 'Internal Server Error'), rest: null },
  ],
  never: [
    error(400, 'Bad Request: chat not found'),
    error(401, 'Unauthorized'),
    error(403, 'Forbidden: bot was kicked from the supergroup chat'),
    error(404, 'Not Found'),
  ],
  isEdit: (request) => request.path.endsWith('/editMessageText'),
  live: (request) => liveInText(String(json(request)['text'])),
  read: (request) => String(json(request)['text']),
};
