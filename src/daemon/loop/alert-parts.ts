/** Alerts of all sources by id after the last step of each, saved or not: steps read them as data. */
import type { Part } from '../../core/correlation/other-parts.ts';

export type AlertParts = ReturnType<typeof createAlertParts>;

export function createAlertParts() {
  const byId = new Map<string, Map<string, readonly Part[]>>();
  const known = new Map<string, ReadonlySet<string>>();
  return {
    byId,
    /** Called before a step is saved: of two parts that end at the same moment, one must see the other's end. */
    stepped(source: string, alerts: readonly Part[]): void {
      const own = Map.groupBy(alerts, ({ id }) => id);
      for (const id of known.get(source) ?? []) {
        const parts = byId.get(id);
        if (own.has(id) || parts === undefined) continue;
        parts.delete(source);
        if (parts.size === 0) byId.delete(id);
      }
      for (const [id, some] of own) {
        const parts = byId.get(id);
        if (parts === undefined) byId.set(id, new Map([[source, some]]));
        else parts.set(source, some);
      }
      known.set(source, new Set(own.keys()));
    },
  };
}
