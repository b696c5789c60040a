/** Status.io answers for all its pages at one address, by the id of the page. */
import type { PageType } from '../vendor-page.ts';
import { limits } from './limits.ts';
import { status } from './mapping.ts';

const API = 'https://api.status.io';

export const statusio: PageType = {
  limits,
  /** From `https://status.example.com/pages/ID` or the address of the interface itself. */
  base(typed) {
    if (typed.pathname.startsWith('/1.0/status/')) return typed;
    const id = typed.pathname.split('/').findLast((part) => part !== '') ?? '';
    return new URL(`${API}/1.0/status/${id}`);
  },
  open: (_, ask) => ({ look: (signal) => ask('', status, { signal }) }),
};
