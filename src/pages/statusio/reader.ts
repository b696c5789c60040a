/** Status.io answers for all its pages at one address, by the id of the page. */
import type { Origin } from '../../provider/http.ts';
import type { PageLimits, PageType, Shown } from '../vendor-page.ts';
import { mapStatus } from './mapping.ts';

/** Status.io: live captures; the codes from other readers of it. */
const limits: PageLimits = {
  called: 'a page of Status.io',
  ends: 'absence',
  history: null,
  components: true,
  maintenance: true,
  texts: true,
  hits: true,
  answerBytes: 2 * 1024 * 1024,
};

const API = 'https://api.status.io';

export const statusio: PageType = {
  limits,
  /** From `https://status.example.com/pages/ID` or the address of the interface itself; what names no page is asked itself. */
  base(typed) {
    const id = /\/([0-9a-f]{24})\/?$/i.exec(typed.pathname)?.[1];
    if (id === undefined || typed.pathname.startsWith('/1.0/status/')) return typed;
    return new URL(`${API}/1.0/status/${id}`);
  },
  open(base, ask, _, typed) {
    const place = typed.href === base.href ? null : typed;
    // The same function each time: what it made of an answer is used again.
    const read = (value: unknown, origin: Origin): Shown => mapStatus(value, origin, place);
    return { look: (signal) => ask('', read, { signal }) };
  },
};
