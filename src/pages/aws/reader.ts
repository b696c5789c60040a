/** AWS' page: one document has all, in UTF-16 with the greater byte first and a byte-order mark. */
import { readJson, refuseOtherType, type Form } from '../../provider/reply.ts';
import type { PageType } from '../vendor-page.ts';
import { limits } from './limits.ts';
import { events } from './mapping.ts';

const PATH = '/public/currentevents';

/** JSON in whatever form of Unicode its byte-order mark names; without one UTF-8. A web page is refused. */
const UNICODE: Form = {
  refuseOthers: (reply, ask) => refuseOtherType(reply, ask, (type) => !type.includes('html'), 'JSON'),
  read(reply, ask) {
    const [first, second] = reply.body;
    const isBig = first === 0xfe && second === 0xff;
    const isLittle = first === 0xff && second === 0xfe;
    if (!isBig && !isLittle) return readJson(reply, ask);
    const text = new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(reply.body);
    return readJson({ ...reply, body: new TextEncoder().encode(text) }, ask);
  },
};

export const aws: PageType = {
  limits,
  base: (typed) => (typed.pathname.endsWith(PATH) ? typed : new URL(PATH, typed)),
  open: (_, ask) => ({ look: (signal) => ask('', events, { signal, form: UNICODE }) }),
};
