/** Maximum number of loads until a server counts as warm. */
export const MAX_WARMING = 20;

/**
 * Applies a load until the processor time per response stops falling, so that the engine has
 * compiled the code.
 */
export async function warm(put) {
  let best = Infinity;
  for (let [steps, idle] = [0, 0]; steps < MAX_WARMING && idle < 2; steps += 1) {
    const { cpu } = await put();
    idle = cpu < best * 0.95 ? 0 : idle + 1;
    best = Math.min(best, cpu);
  }
}
