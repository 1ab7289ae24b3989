/** Loads that a server is warm after at the latest. */
export const MAX_WARMING = 20;

/** Puts a load on a server until answers cost it no less than before: until then the engine is still compiling what they need. */
export async function warm(put) {
  let best = Infinity;
  for (let [steps, idle] = [0, 0]; steps < MAX_WARMING && idle < 2; steps += 1) {
    const { cpu } = await put();
    idle = cpu < best * 0.95 ? 0 : idle + 1;
    best = Math.min(best, cpu);
  }
}
