import type { Response } from 'express';

/** Returns a signal that is aborted once the caller closes the connection before its answer. */
export function callerGone(response: Response): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}
