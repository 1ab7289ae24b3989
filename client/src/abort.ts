/** A call was aborted. Not a `DOMException`, which React Native lacks; its name is the same. */
export class AbortError extends Error {
  override readonly name = 'AbortError';
}

/** Returns what an aborted call throws. React Native's signals have no reason. */
export function reasonOf(signal: AbortSignal): Error {
  return (signal.reason as Error | undefined) ?? new AbortError('The call was aborted.');
}

/** Waits until the signal aborts. The work itself continues, because other calls wait for it. */
export function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(reasonOf(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
