/** Status.io serves all pages from one host, by page id. */
import type { InterfaceOrigin } from '../../provider/http.ts';
import type { PageLimits, PageType, Shown } from '../vendor-page.ts';
import { mapStatus } from './mapping.ts';

/** Status.io: live captures; codes from third-party readers. */
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
  /**
   * Accepts `https://status.example.com/pages/ID` or the interface's address; other addresses are requested as they
   * are.
   */
  base(typed) {
    const id = /\/([0-9a-f]{24})\/?$/i.exec(typed.pathname)?.[1];
    if (id === undefined || typed.pathname.startsWith('/1.0/status/')) return typed;
    return new URL(`${API}/1.0/status/${id}`);
  },
  open(base, ask, _, typed) {
    const place = typed.href === base.href ? null : typed;
    // Created once: the response cache compares it by identity.
    const read = (value: unknown, origin: InterfaceOrigin): Shown => mapStatus(value, origin, place);
    return { look: (signal) => ask('', read, { signal }) };
  },
};
