/** The account's telephone numbers, and those that can be ordered. */
import type { Random } from '../random.ts';

/** Digits as text; `number` includes the country code. */
interface OwnedNumber {
  number: string;
  smsEnabled: boolean;
}

interface FreeNumber {
  numberId: string;
  supplyUuid: string;
  locality: string;
  localityPrefix: number;
  /** Without country code. */
  number: string;
  pool: string;
}

const LOCALITIES = [
  { locality: 'Melbourne (03)', prefix: 3 },
  { locality: 'Sydney (02)', prefix: 2 },
  { locality: 'Perth (08)', prefix: 8 },
] as const;

/** Starts with a few numbers and ten free ones per locality. `assign` and `cancel` return a refusal or null. */
export function createNumberStock(random: Random) {
  let owned: OwnedNumber[] = [
    ...Array.from({ length: 6 }, (_, place) => ({ number: `6139000${4100 + place}`, smsEnabled: false })),
    { number: '61480012345', smsEnabled: true },
    { number: '1300555019', smsEnabled: false },
  ];
  let free: FreeNumber[] = LOCALITIES.flatMap(({ locality, prefix }) =>
    Array.from({ length: 10 }, () => ({
      numberId: random.digits(6),
      supplyUuid: random.uuid(),
      locality,
      localityPrefix: prefix,
      number: `${prefix}9${random.digits(7)}`,
      pool: 'standard',
    })),
  );
  return {
    owned: (): readonly OwnedNumber[] => owned,
    owns: (number: string) => owned.some((candidate) => candidate.number === number),
    localities: (): readonly { locality: string; prefix: number }[] => LOCALITIES,
    free: (locality: string): readonly FreeNumber[] => free.filter((number) => sameLocality(number.locality, locality)),
    /** Null on success, else the reason. */
    assign(numberId: string, supplyUuid: string): string | null {
      const wanted = free.find((number) => number.numberId === numberId);
      if (wanted === undefined) return 'The number is no longer available.';
      if (wanted.supplyUuid !== supplyUuid) return 'The supply reference does not belong to this number.';
      free = free.filter((number) => number !== wanted);
      owned.push({ number: `61${wanted.number}`, smsEnabled: false });
      return null;
    },
    cancel(number: string): string | null {
      const given = owned.find((candidate) => candidate.number === number);
      if (given === undefined) return 'The number does not belong to this service.';
      owned = owned.filter((candidate) => candidate !== given);
      return null;
    },
    add(number: OwnedNumber) {
      owned.push(number);
    },
  };
}

/** Compares locality names ignoring case, with or without the trunk code. */
function sameLocality(full: string, asked: string): boolean {
  const plain = (name: string): string => name.replace(/\s*\(.*\)$/, '').toLowerCase();
  return plain(full) === plain(asked);
}
