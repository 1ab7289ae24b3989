/**
 * Runs a number of tasks, several at a time, and waits for the last. A time window would cut off
 * tasks that take 200 ms each.
 * @returns tasks per second
 */
export async function batch(count, atOnce, work) {
  let begun = 0;
  const started = performance.now();
  const worker = async () => {
    while (begun < count) await work(begun++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { perSecond: (count * 1000) / (performance.now() - started) };
}
