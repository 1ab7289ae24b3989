/** Longest time that idle work waits on a busy page. */
const TIMEOUT_MS = 2_000;

/**
 * Runs work once the page is loaded and idle.
 * @returns a function that cancels it
 */
export function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, TIMEOUT_MS); // Safari
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(work, { timeout: TIMEOUT_MS });
  return () => cancelIdleCallback(id);
}
