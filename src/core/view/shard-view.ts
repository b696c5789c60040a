/** Sources that one member at a time watches. */
export interface ShardView {
  shard: number;
  sources: readonly string[];
  /** Name of the leader; null for none. */
  holder: string | null;
  /** Epoch of the current or last leader. */
  epoch: number;
  /** Milliseconds since its lease was renewed; null without a leader. */
  renewedMs: number | null;
}
