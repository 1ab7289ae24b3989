import { setTimeout as sleep } from 'node:timers/promises';

/** Sends requests at a pace, whether or not earlier ones have their response, and awaits all. */
export async function paced(request, { count, perSecond }) {
  const began = performance.now();
  const open = [];
  for (let n = 0; n < count; n += 1) {
    await sleep(Math.max(0, began + (n * 1_000) / perSecond - performance.now()));
    const sent = request(n);
    sent.catch(() => undefined); // reported at the end: the bench must stop what it has started
    open.push(sent);
  }
  await Promise.all(open);
}

/** Returns median and 99th percentile of times. */
export function percentilesOf(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99) };
}
