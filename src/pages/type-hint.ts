/** Checks once whether a page that was never readable has another type than configured. */
import type { Miss } from '../core/observation/listing.ts';
import type { Detected, TypeName, Undetected } from './detect.ts';
import type { PageReader } from './page-reader.ts';

/** Failure codes that another system's response produces. */
const STRANGE: readonly string[] = ['contract_broken', 'not_found', 'foreign_link'];
/** Some servers refuse unknown paths. A refusal by the provider itself says nothing about the type. */
const REFUSED: readonly string[] = ['credentials', 'refused'];

/** True if the failure may come from another type of page. `code`: of a `Miss`. */
export function isStrange(code: string, type: TypeName): boolean {
  return STRANGE.includes(code) || (type !== 'provider' && REFUSED.includes(code));
}

/** End of a sentence. */
export function explainType({ called, type }: Detected): string {
  return `this address answers like ${called}: set \`type: ${type}\``;
}

/** Calls `detect` at most once. */
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
