/** A call was aborted. Not a `DOMException`, which React Native lacks; its name is the same. */
export class AbortError extends Error {
  override readonly name = 'AbortError';
}

/** Returns what an aborted call throws. React Native's signals have no reason. */
export function reasonOf(signal: AbortSignal): Error {
  return (signal.reason as Error | undefined) ?? new AbortError('The call was aborted.');
}
