/** The token proves nothing, or not any more: answer 401. The cause is for the log and not for the caller. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError';

  constructor(cause?: unknown) {
    super('The access token is not valid, has expired, or its session has ended.', { cause });
  }
}

/** Gatehouse cannot be asked, which says nothing about the token: answer 503. A 401 would sign the caller out. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';

  constructor(cause?: unknown) {
    super('Who is calling cannot be found out right now.', { cause });
  }
}
