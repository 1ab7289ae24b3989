/** State of the bucket that counted a request; if two did, of the one with fewer tokens left. */
export interface RateLimit {
  /** Size of the bucket. */
  readonly limit: number;
  /** Requests left. */
  readonly remaining: number;
  /** Time at which the next request becomes available. */
  readonly reset: Date;
}

/** Reads the headers of a response; null if it is not rate-limited, or not the service's. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    headers.get(`x-ratelimit-${name}`),
  );
  if (!limit || !remaining || !reset) return null;
  return { limit: Number(limit), remaining: Number(remaining), reset: new Date(Number(reset) * 1000) };
}
