/** What a vendor's page shows, before it is put into the words and the shape of one vendor. States are the provider's. */
export interface VendorComponent {
  id: string;
  name: string;
  state: string;
}

export interface VendorUpdate {
  state: string | null;
  content: string;
  /** Epoch milliseconds, as all times. */
  createdAt: number;
}

export interface VendorNotice {
  id: string;
  planned: boolean;
  state: string;
  subject: string;
  hits: readonly { id: string; name: string }[];
  beginsAt: number | null;
  endsAt: number | null;
  beganAt: number | null;
  endedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Oldest first. */
  updates: readonly VendorUpdate[];
}

export interface VendorWorld {
  name: string;
  /** Changes with whatever is shown. */
  updatedAt: number;
  components: readonly VendorComponent[];
  /** What is open or announced, and what is over, the newest last. */
  notices: readonly VendorNotice[];
}

/** An answer: JSON, or text of another type. */
export type VendorAnswer = { json: unknown } | { body: string | Uint8Array<ArrayBuffer>; type: string };

/** What a vendor answers under each path. */
export type VendorPages = (world: VendorWorld) => ReadonlyMap<string, VendorAnswer>;

const OVER: readonly string[] = ['resolved', 'false_alarm', 'complete', 'cancelled'];

export function isOver({ state }: VendorNotice): boolean {
  return OVER.includes(state);
}

export function openOf(world: VendorWorld, planned?: boolean): VendorNotice[] {
  return world.notices.filter((each) => !isOver(each) && (planned === undefined || each.planned === planned));
}

export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
