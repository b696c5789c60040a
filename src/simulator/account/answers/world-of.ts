import type { ApiCall } from '../../simulated-reply.ts';
import type { AccountWorld } from '../account-world.ts';
import type { Links } from '../recordings.ts';

/** The world of a request's token; invalid tokens were refused earlier. */
export type WorldOf = (call: ApiCall) => AccountWorld;

/** Drops undefined fields: omitted parameters leave values unchanged. */
export function omitUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Links in answers use the origin of the request. */
export function toLinks({ url }: ApiCall): Links {
  return {
    stream: (kind, uuid) => `${url.origin}/media/${kind}/${uuid}.wav`,
    vtt: (transcriptId) => `${url.origin}/api/v1/pbx/call-transcripts/download-vtt/${transcriptId}`,
  };
}
