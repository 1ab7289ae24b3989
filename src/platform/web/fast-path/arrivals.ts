import { setImmediate as endOfTurn } from 'node:timers/promises';
import { usesFastPath } from './switch.js';

/**
 * Creates a function that waits until all requests are read that arrive in this turn of the event
 * loop. They continue together: each step runs for all of them before the next one, so that the
 * processor has its code in the caches, and the process sleeps less often.
 * @returns with the fast path off, one that does not wait
 */
export function arrivalsOfTurn(): () => Promise<void> {
  if (!usesFastPath()) return () => Promise.resolve();
  let arrivals: Promise<void> | undefined;
  const wait = async (): Promise<void> => {
    await endOfTurn();
    arrivals = undefined;
  };
  return () => (arrivals ??= wait());
}
