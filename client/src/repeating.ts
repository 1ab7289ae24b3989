import { unlessAborted } from './abort.js';
import { readRetryAfter } from './errors.js';
import type { Send } from './http.js';

/**
 * Time within which a request is repeated: a failover takes up to three seconds, and the service
 * asks for two seconds between attempts.
 */
const PATIENCE_MS = 5_000;
/** Pause if the service does not ask for one. */
const PAUSE_MS = 500;
/** Statuses of a service, or of the proxy before it, that will be back. */
const TRANSIENT: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Returns a `send` that repeats what is safe to repeat while the service cannot be reached: reads,
 * and commands with an `Idempotency-Key`. Any other command may have been carried out.
 */
export function repeating(send: Send): Send {
  return async (request) => {
    if (request.method !== 'GET' && !request.headers.has('idempotency-key')) return send(request);
    const giveUpAt = Date.now() + PATIENCE_MS;
    for (;;) {
      const response = send(request.clone());
      const wait = await response.then(findWait, () => PAUSE_MS);
      if (wait === null || request.signal.aborted || Date.now() + wait > giveUpAt) return response;
      await response.then(({ body }) => body?.cancel()).catch(() => undefined);
      await unlessAborted(request.signal, new Promise((resolve) => setTimeout(resolve, wait)));
    }
  };
}

/** @returns milliseconds until the next attempt; null for an answer */
function findWait({ status, headers }: Response): number | null {
  if (!TRANSIENT.has(status)) return null;
  const seconds = readRetryAfter(headers);
  return seconds === null ? PAUSE_MS : seconds * 1_000;
}
