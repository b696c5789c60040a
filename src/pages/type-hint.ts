/** A page that was never read may be of another type than it is said to be: that is looked into once, and said. */
import type { Miss } from '../core/observation/listing.ts';
import type { Detected, TypeName, Undetected } from './detect.ts';
import type { PageReader } from './page-reader.ts';

/** How an answer of another system is classed. */
const STRANGE: readonly string[] = ['contract_broken', 'not_found', 'foreign_link'];
/** Some servers refuse what they do not have. Where the provider itself refuses, its type is not in question. */
const REFUSED: readonly string[] = ['credentials', 'refused'];

/** Whether what came in place of an answer may be another type's. `code`: of a `Miss`. */
export function isStrange(code: string, type: TypeName): boolean {
  return STRANGE.includes(code) || (type !== 'provider' && REFUSED.includes(code));
}

/** As the end of a sentence. */
export function explainType({ called, type }: Detected): string {
  return `this address answers like ${called}: set \`type: ${type}\``;
}

/** `detect` is asked at most once. */
export function createHintingReader(
  reader: PageReader,
  detect: (signal: AbortSignal) => Promise<Detected | Undetected>,
  type: TypeName,
): PageReader {
  let hasAnswered = false;
  let hint: Promise<string> | null = null;

  async function hinted<T extends { kind: string }>(asked: Promise<T | Miss>, signal: AbortSignal): Promise<T | Miss> {
    const answer = await asked;
    if (!isMiss(answer)) hasAnswered = true;
    if (!isMiss(answer) || hasAnswered || !isStrange(answer.code, type)) return answer;
    hint ??= detect(signal).then((found) => (found.kind === 'detected' ? `; ${explainType(found)}` : ''));
    return { ...answer, why: `${answer.why}${await hint}` };
  }

  const { document } = reader;
  return {
    ...reader,
    page: (signal) => hinted(reader.page(signal), signal),
    components: (signal, soFar) => hinted(reader.components(signal, soFar), signal),
    notices: (timeline, signal) => hinted(reader.notices(timeline, signal), signal),
    ...(document && { document: (signal: AbortSignal) => hinted(document(signal), signal) }),
  };
}

function isMiss(answer: { kind: string }): answer is Miss {
  return answer.kind === 'missed';
}
