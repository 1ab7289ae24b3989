/** Maximum number of loads until a server counts as warm. */
export const MAX_WARMING = 20;
/**
 * Responses before which no server counts as warm: where each takes milliseconds, a load has few
 * of them, and its processor time stops falling before the engine has compiled the code.
 */
const MIN_RESPONSES = 3_000;

/**
 * Applies a load until the processor time per response stops falling, so that the engine has
 * compiled the code.
 * @param put applies the load; returns processor time per response and the number of responses, if
 *   a load may have few
 */
export async function warm(put) {
  let best = Infinity;
  let left = MIN_RESPONSES;
  for (let [steps, idle] = [0, 0]; steps < MAX_WARMING && (idle < 2 || left > 0); steps += 1) {
    const { cpu, requests = MIN_RESPONSES } = await put();
    left -= requests;
    idle = cpu < best * 0.95 ? 0 : idle + 1;
    best = Math.min(best, cpu);
  }
}
