/** How the other sources behind the same origin fare. */
export interface OriginView {
  /** How many of the others cannot be read. */
  down: number;
  /** One of them was found so just now: what is blind as well is part of the same, whatever its own threshold. */
  fell: boolean;
}
