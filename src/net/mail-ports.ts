/** What a mail server speaks on which port (RFC 8314, 3.3; RFC 6409, 3.1): both ways to encrypt fail on the other's port. */

const USUAL: ReadonlyMap<number, 'tls' | 'starttls'> = new Map([
  [465, 'tls'],
  [587, 'starttls'],
  [25, 'starttls'],
]);

/** Null where the port and what is spoken there go together, as far as is known. */
export function portHint(port: number, security: string): string | null {
  const usual = USUAL.get(port);
  if (usual === undefined || usual === security || security === 'none') return null;
  return usual === 'tls'
    ? `${security} on port ${port}, where mail servers expect TLS from the first byte: write security: tls, or port: 587`
    : `${security} on port ${port}, where mail servers begin in plain text: write security: starttls, or port: 465`;
}
