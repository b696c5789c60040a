/** What every gateway of SMS must be given: one part of the GSM 7-bit alphabet (3GPP TS 23.038, table 1 and its extension). */
const TABLE =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION = '^{}\\[~]|€';

/** Null where a text is more than one part, or holds another character. */
export function septets(text: string): number | null {
  let sum = 0;
  for (const char of text) {
    if (TABLE.includes(char)) sum += 1;
    else if (EXTENSION.includes(char)) sum += 2;
    else return null;
  }
  return sum;
}

/** Phones make links of whole addresses, and of names with a dot. */
export function liveInSms(text: string): string[] {
  return text.match(/\w+:\/\/\S*evil\S*|[\w-]*evil[\w-]*\.[a-z]{2,}/gi) ?? [];
}
