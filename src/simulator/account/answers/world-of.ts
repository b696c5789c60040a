import type { ApiCall } from '../../simulated-reply.ts';
import type { AccountWorld } from '../account-world.ts';
import type { Links } from '../recordings.ts';

/** The world behind a request's token; requests without a good one have been refused before. */
export type WorldOf = (call: ApiCall) => AccountWorld;

/** The same record without the fields that were not given: what is left out of a request stays as it is. */
export function omitUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Addresses inside answers lead back to the origin that was asked. */
export function toLinks({ url }: ApiCall): Links {
  return {
    stream: (kind, uuid) => `${url.origin}/media/${kind}/${uuid}.wav`,
    vtt: (transcriptId) => `${url.origin}/api/v1/pbx/call-transcripts/download-vtt/${transcriptId}`,
  };
}
