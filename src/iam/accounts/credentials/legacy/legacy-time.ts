import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum time for which a login waits for the legacy directory, and time of every refusal. */
const MAX_ANSWER_MS = 3_000;

/** Returns the end of a wait that begins now, in milliseconds of `performance.now()`. */
export const answerEnd = (): number => performance.now() + MAX_ANSWER_MS;

/** Resolves at a time of {@link answerEnd}. */
export async function pauseUntil(end: number): Promise<void> {
  await sleep(remaining(end));
}

/** Returns a signal that aborts at a time of {@link answerEnd}. */
export const abortAt = (end: number): AbortSignal => AbortSignal.timeout(remaining(end));

const remaining = (end: number): number => Math.max(0, Math.ceil(end - performance.now()));
