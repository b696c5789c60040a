/** Routes of another vendor's page, answered from the provider's world. */
import type { Hono } from 'hono';
import type { Bindings, Answering } from '../simulated-exchange.ts';
import { createJsonReply, createReply, type RawReply } from '../simulated-reply.ts';
import type { StatusWorld } from '../status/world.ts';
import type { VendorStandIn } from './vendors.ts';
import { toVendorWorld, type VendorAnswer } from './vendor-world.ts';

interface VendorRouteOptions {
  app: Hono<Bindings>;
  exchange: Answering;
  status: Pick<StatusWorld, 'documents'>;
  /** Operations of the provider's page that this document covers: faults on any of them apply. */
  shows: readonly string[];
}

/** Name of the operation in the log. */
const OPERATION = 'page';

/** Paths that `pages` lacks at the start are never answered. */
export function addVendorRoutes({ pages }: VendorStandIn, { app, exchange, status, shows }: VendorRouteOptions): void {
  for (const path of pages(toVendorWorld(status.documents())).keys()) {
    app.get(path, (context) =>
      exchange(
        context,
        OPERATION,
        ({ versionsAgo }) => {
          const answer = pages(toVendorWorld(status.documents(versionsAgo))).get(path);
          if (answer === undefined) throw new TypeError(`${path} is answered at some times only`);
          return Promise.resolve(replyOf(answer));
        },
        shows,
      ),
    );
  }
}

function replyOf(answer: VendorAnswer): RawReply {
  if ('json' in answer) return createJsonReply(200, answer.json);
  return createReply(200, answer.body, { 'content-type': answer.type });
}
