import { isDatabaseUnavailable } from '../../errors/index.js';

/** Says in one sentence, without credentials, which database could not be opened and why. */
export class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';

  constructor(url: string, cause: unknown) {
    const { code, message } = cause as { code?: string; message?: string };
    const away = isDatabaseUnavailable(cause) || message === 'timeout expired';
    const reason = away ? (code ?? message) : message;
    super(
      `the database at ${new URL(url).host} ${away ? 'does not answer' : 'refuses the connection'} (${reason})`,
      {
        cause,
      },
    );
  }
}
