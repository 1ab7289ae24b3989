/** The state of the bucket that a request was counted in; of the one with fewer tokens left, where it was two. */
export interface RateLimit {
  /** Size of the bucket. */
  readonly limit: number;
  /** Requests left. */
  readonly remaining: number;
  /** When the next one becomes free. */
  readonly reset: Date;
}

/** Null where an answer is not rate-limited, or not the service's. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    headers.get(`x-ratelimit-${name}`),
  );
  if (!limit || !remaining || !reset) return null;
  return { limit: Number(limit), remaining: Number(remaining), reset: new Date(Number(reset) * 1000) };
}
