/** Hours that were learned: which phones are logged off as usual, and which of them are late. */
import type { PhoneCount, PhonesDetails, UsualDetails } from '../transition/details.ts';

/** Why so many are not counted, and what is unusual about those that are. */
export function habitTexts({ usual, away }: Pick<PhonesDetails, 'usual' | 'away'>): string[] {
  return [...lateText(usual, 'They'), ...(away === undefined ? [] : [`Not counted: ${awayText(away)}.`])];
}

/** What a phone that is late does on other days. */
export function lateText(usual: UsualDetails | undefined, who: 'It' | 'They'): string[] {
  if (usual === undefined) return [];
  const [logs, is] = who === 'It' ? ['logs', 'is'] : ['log', 'are'];
  return [
    `${who} usually ${logs} off at about ${usual.off} and ${is} back at about ${usual.back}; this time ${who.toLowerCase()} ${is} not.`,
  ];
}

/** `, 12 more are logged off as usual` */
export function asUsual({ away = 0 }: Pick<PhoneCount, 'away'>): string {
  return away === 0 ? '' : `, ${away} more ${away === 1 ? 'is' : 'are'} logged off as usual`;
}

/** `12 phones log off at about 18:00 on most days, usually back at about 08:00` */
export function awayText({ count, off, back }: UsualDetails & { count: number }, more = ''): string {
  const logs = count === 1 ? 'logs' : 'log';
  return `${count}${more} ${count === 1 ? 'phone' : 'phones'} ${logs} off at about ${off} on most days, usually back at about ${back}`;
}
