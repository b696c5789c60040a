/** What all stand-ins of ticket systems share: tickets that are really there, told apart by a key. */
import type { Received } from '../http-peer.ts';
import { liveInText, type Reply, type StandIn } from './stand-in.ts';

export interface Ticket {
  id: string;
  key: string;
  open: boolean;
  /** What was written into it, in order. */
  texts: string[];
  /** Whose it is over there. */
  customer: unknown;
}

/** What a request asks for, by the vendor's documentation; a text says why the vendor would refuse it. */
export type Wish =
  | { does: 'open'; key: string; texts: string[]; customer: unknown }
  | { does: 'note' | 'close' | 'reopen'; id: string; texts: string[] }
  | { does: 'find'; key: string }
  | string;

interface Vendor extends Pick<StandIn, 'keys' | 'secrets' | 'never'> {
  /** A search shows only tickets that are open. */
  findsOpenOnly?: boolean;
  wishOf: (request: Received) => Wish;
  opened: (ticket: Ticket) => Reply;
  changed: (ticket: Ticket) => Reply;
  found: (tickets: readonly Ticket[]) => Reply;
}

export interface Desk extends StandIn {
  /** Forgets all tickets. */
  reset: () => void;
  tickets: () => readonly Ticket[];
}

function textsOf(wish: Wish): string[] {
  return typeof wish === 'object' && 'texts' in wish ? wish.texts : [];
}

export function ticketDesk({
  keys,
  secrets,
  never,
  findsOpenOnly = false,
  wishOf,
  opened,
  changed,
  found,
}: Vendor): Desk {
  const tickets: Ticket[] = [];

  function answerTo(request: Received): Reply {
    const wish = wishOf(request);
    if (typeof wish === 'string') return { status: 400, body: { error: wish } };
    if (wish.does === 'find') {
      return found(tickets.filter(({ key, open }) => key === wish.key && (open || !findsOpenOnly)).toReversed());
    }
    if (wish.does === 'open') {
      const ticket = {
        id: String(9_007_199_254_740_993n + BigInt(tickets.length)),
        key: wish.key,
        open: true,
        texts: wish.texts,
        customer: wish.customer,
      };
      tickets.push(ticket);
      return opened(ticket);
    }
    const ticket = tickets.find(({ id }) => id === wish.id);
    if (ticket === undefined) return { status: 404 };
    ticket.texts.push(...wish.texts);
    if (wish.does !== 'note') ticket.open = wish.does === 'reopen';
    return changed(ticket);
  }

  return {
    keys,
    secrets,
    never,
    proves: 'shown',
    refuses(request) {
      const wish = wishOf(request);
      return typeof wish === 'string' ? wish : null;
    },
    taken: answerTo,
    later: [
      { status: 429, headers: { 'retry-after': '17' }, rest: 17_000 },
      { status: 503, body: '<html>', rest: null },
    ],
    live: (request) => textsOf(wishOf(request)).flatMap(liveInText),
    read: (request) => textsOf(wishOf(request)).join('\n'),
    reset: () => void tickets.splice(0),
    tickets: () => tickets,
  };
}
