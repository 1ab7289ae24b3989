/** Delays before the second and further attempts, in seconds: 32 hours in total. */
const DELAYS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400] as const;
/** Random part of a delay, so that retries of many deliveries do not come at once. */
const JITTER = 0.2;
/** Longest wait that a receiver can ask for. */
const MAX_RETRY_AFTER = 3_600;

/**
 * Returns the seconds until the next attempt.
 * @param attempts number of failed attempts
 * @param retryAfter seconds that the receiver asked for
 * @returns null if there is none
 */
export function nextDelay(attempts: number, retryAfter: number | null, random = Math.random): number | null {
  const delay = DELAYS[attempts - 1];
  if (delay === undefined) return null;
  const spread = delay * (1 + JITTER * (2 * random() - 1));
  return Math.max(spread, Math.min(retryAfter ?? 0, MAX_RETRY_AFTER));
}

/** Reads Retry-After (RFC 9110 section 10.2.3): seconds, or a date. @returns null without one */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1_000);
}
