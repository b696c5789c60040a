import type { Call } from '../../reply.ts';
import type { Links } from '../recordings.ts';

/** Addresses inside answers lead back to the origin that was asked. */
export function linksOf({ url }: Call): Links {
  return {
    stream: (kind, uuid) => `${url.origin}/media/${kind}/${uuid}.wav`,
    vtt: (transcriptId) => `${url.origin}/api/v1/pbx/call-transcripts/download-vtt/${transcriptId}`,
  };
}
