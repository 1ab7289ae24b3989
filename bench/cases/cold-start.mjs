import { rm } from 'node:fs/promises';
import { dataFolder, startUp } from '../support/start-up.mjs';

/**
 * Measures the time from command to first response with the embedded PostgreSQL: first start and
 * later starts.
 */
export default async function coldStart(bench) {
  const found = { first: [], later: [] };
  for (let round = 0; round < bench.rounds; round += 1) {
    const folder = await dataFolder();
    try {
      found.first.push(await startUp(folder));
      found.later.push(await startUp(folder));
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  return [
    { name: 'cold start to the first answer', unit: 's', goal: { atMost: 0.85 }, ours: median(found.later) },
    { name: 'first start ever', unit: 's', goal: { atMost: 4 }, ours: median(found.first) },
  ];
}
