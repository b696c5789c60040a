/** What can be sent as a bearer token: a header holds visible ASCII, and a blank would end it (RFC 9110, RFC 6750). */
export function isBearerToken(text: string): boolean {
  return /^[\u0021-\u007e]+$/.test(text);
}
