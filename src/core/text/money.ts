/** Amounts of money as people read them; the currency is written before them. */

/** `41.20`, and `50` for a whole amount. */
export function formatAmount(amount: number): string {
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
}

/** `12–19`, in whole units. */
export function formatRange(least: number, most: number): string {
  const [low, high] = [Math.round(least), Math.round(most)];
  return low === high ? String(low) : `${low}–${high}`;
}
