/** How likely it is that losses fall as they did, were they scattered over all phones alike. */

/**
 * Of `population` phones `marked` are of one kind and `drawn` are lost: the chance that at least `hit` of the lost are of
 * that kind (the tail of the hypergeometric distribution).
 */
export function chanceOf(population: number, marked: number, drawn: number, hit: number): number {
  const most = Math.min(marked, drawn);
  const fewest = Math.max(0, drawn + marked - population);
  if (hit <= fewest) return 1;
  if (hit > most) return 0;
  // Terms are made from one another: no factorial is ever computed.
  let term = Math.exp(
    logChoose(marked, hit) + logChoose(population - marked, drawn - hit) - logChoose(population, drawn),
  );
  let sum = 0;
  for (let count = hit; count <= most; count += 1) {
    sum += term;
    term *= ((marked - count) * (drawn - count)) / ((count + 1) * (population - marked - drawn + count + 1));
  }
  return Math.min(1, sum);
}

function logChoose(of: number, some: number): number {
  let sum = 0;
  const few = Math.min(some, of - some);
  for (let index = 1; index <= few; index += 1) sum += Math.log((of - few + index) / index);
  return sum;
}
