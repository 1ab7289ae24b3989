/**
 * The token is not valid, or no longer: answer 401. `reason` is for the log, not for the caller.
 */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError';

  /** @param cause the check that failed, or the error of the library that made it */
  constructor(cause: unknown) {
    super('The access token is not valid, has expired, or its session has ended.', { cause });
  }

  /** The check that failed. Contains nothing of the token but the id of its client. */
  get reason(): string {
    return this.cause instanceof Error ? this.cause.message : String(this.cause);
  }
}

/**
 * Gatehouse cannot be reached, which says nothing about the token: answer 503. A 401 would sign the
 * caller out.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';

  constructor(cause?: unknown) {
    super('The caller cannot be verified at the moment. Try again later.', { cause });
  }
}
