/** The current status as a small image for other sites: the tone, and as many words as fit. */
import { truncate } from '../../core/text/plain.ts';
import type { SystemStatus } from '../../core/view/system-status.ts';
import { listBegunAlerts } from '../../core/view/verdict/alert-order.ts';
import { type Verdict, type VerdictTone, computeVerdict } from '../../core/view/verdict/verdict.ts';

const FILL: Readonly<Record<VerdictTone, string>> = {
  ok: '#17703f',
  crit: '#b3211a',
  warn: '#7d4d00',
  work: '#2456ad',
  unk: '#5b6169',
};
/** Average width of a letter in pixels. */
const LETTER = 6.6;

/** An SVG document that loads nothing. */
export function renderBadge(status: SystemStatus): string {
  const verdict = computeVerdict(status);
  const { tone, headline } = verdict;
  const said = saidBy(verdict, listBegunAlerts(status).length);
  const label = 'phones';
  const [left, right] = [label.length * LETTER + 16, said.length * LETTER + 16].map(Math.round) as [number, number];
  const title = escapeXml(`${status.instance}: ${truncate(headline, 200)}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
<title>${title}</title>
<rect width="${left + right}" height="20" rx="4" fill="#3d444b"/>
<path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H${left}z" fill="${FILL[tone]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="8" y="14">${label}</text><text x="${left + 8}" y="14">${escapeXml(said)}</text></g>
</svg>
`;
}

/** Text beside the word `phones`. */
function saidBy({ tone, losses, unknown }: Verdict, open: number): string {
  if (losses !== null) return `${losses.offline} of ${losses.total} offline`;
  if (open > 0) return `${open} open`;
  return tone === 'ok' ? 'all is well' : unknown.length === 0 ? 'starting' : 'not known';
}

/** Valid as text and within quotation marks; characters that XML cannot represent are omitted. */
export function escapeXml(text: string): string {
  const SIGNS: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- what XML cannot hold
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
      .replaceAll(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign)
  );
}
