import { isDatabaseUnavailable } from '../../errors/index.js';

/** Says in one sentence, without credentials, which database could not be opened and why. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';

  /** @param cause an AggregateError of several servers, of which none takes writes */
  constructor(url: string | readonly string[], cause: unknown) {
    const hosts = [url].flat().map((one) => new URL(one).host);
    const reasons = cause instanceof AggregateError ? cause.errors : [cause];
    const trouble =
      hosts.length > 1
        ? `no database of ${hosts.join(', ')} takes writes`
        : `the database at ${hosts.join()} ${isAway(cause) ? 'does not answer' : 'refuses the connection'}`;
    super(`${trouble} (${reasons.map(reasonOf).join(', ')})`, { cause });
  }
}

function isAway(cause: unknown): boolean {
  return isDatabaseUnavailable(cause) || (cause as { message?: string }).message === 'timeout expired';
}

function reasonOf(cause: unknown): string | undefined {
  const { code, message } = cause as { code?: string; message?: string };
  return isAway(cause) ? (code ?? message) : message;
}
