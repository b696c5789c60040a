/** AWS' page: a single document in UTF-16 big-endian with a byte-order mark. */
import { readJson } from '../../provider/json-body.ts';
import { refuseOtherType, type Form } from '../../provider/reply.ts';
import type { PageLimits, PageType } from '../vendor-page.ts';
import { mapEvents } from './mapping.ts';

/** AWS' own page: captures; the meaning of its codes is inferred. */
const limits: PageLimits = {
  called: "AWS' status page",
  ends: 'told',
  history: 'events that ended a short while ago',
  components: false,
  maintenance: false,
  texts: true,
  hits: true,
  needsChoice: 'products and regions',
  answerBytes: 4 * 1024 * 1024,
};

const PATH = '/public/currentevents';

/** JSON in the encoding of its byte-order mark, by default UTF-8. HTML is rejected. */
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
  open: (_, ask) => ({ look: (signal) => ask('', mapEvents, { signal, form: UNICODE }) }),
};
