/** Returns the median. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Measures two things alternately, so that other load of the machine affects both.
 * @param ours returns an object of numbers, as does `theirs`
 * @returns for each number of both: the medians, and the median of the rounds' ratios
 */
export async function paired(rounds, ours, theirs) {
  const found = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round += 1) {
    const turn = [async () => found.ours.push(await ours()), async () => found.theirs.push(await theirs())];
    for (const measure of round % 2 === 0 ? turn : turn.toReversed()) await measure();
  }
  const names = Object.keys(found.ours[0]).filter((name) => name in found.theirs[0]);
  return Object.fromEntries(
    names.map((name) => {
      const [a, b] = [found.ours, found.theirs].map((values) => values.map((value) => value[name]));
      return [name, { ours: median(a), theirs: median(b), ratio: median(a.map((value, n) => value / b[n])) }];
    }),
  );
}
