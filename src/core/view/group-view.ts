/** Sources that one member watches at a time. */
export interface ShardView {
  group: number;
  sources: readonly string[];
  /** The member that leads it; null for nobody. */
  holder: string | null;
  /** Which it is led with, or was last. */
  epoch: number;
  /** Milliseconds since its lease was renewed; null where nobody holds it. */
  renewedMs: number | null;
}
