/** A time zone in which it is noon now: what is a few hours older or newer is on the same local day. */
export function findZoneAtNoon(now = Date.now()): string {
  const ahead = 12 - new Date(now).getUTCHours();
  // In these names, zones ahead of UTC have a minus.
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
