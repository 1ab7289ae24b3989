import { setTimeout as sleep } from 'node:timers/promises';

/** Bounds of the time for which a login waits for a legacy directory, and of every refusal. */
export const MIN_ANSWER_MS = 100;
export const MAX_ANSWER_MS = 3_000;

/** Returns the end of a wait that begins now, in milliseconds of `performance.now()`. */
export const answerEnd = (maxAnswerMs: number): number => performance.now() + maxAnswerMs;

/** Resolves at a time of {@link answerEnd}. */
export async function pauseUntil(end: number): Promise<void> {
  await sleep(remaining(end));
}

/** Returns a signal that aborts at a time of {@link answerEnd}. */
export const abortAt = (end: number): AbortSignal => AbortSignal.timeout(remaining(end));

const remaining = (end: number): number => Math.max(0, Math.ceil(end - performance.now()));
