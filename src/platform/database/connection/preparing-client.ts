import { isPlanOutdated } from '../../errors/index.js';
import { ImpatientClient } from './impatient-client.js';
import { nameOf } from './prepared.js';

/**
 * Connection that prepares marked statements by name. Not for poolers, which may send the next
 * statement to another session.
 */
export class PreparingClient extends ImpatientClient {
  override query(...query: never[]): never {
    const [text, values, ...rest] = query as unknown as [string, unknown[]?, ...unknown[]];
    const name = nameOf(text);
    if (name === undefined || rest.length > 0) return super.query(...query);
    const result: unknown = super.query({ name, text, values } as never);
    // Closes the connection, because it keeps the outdated plan. A new one prepares the statement
    // again.
    if (result instanceof Promise)
      result.catch((error: unknown) => {
        if (isPlanOutdated(error)) this.end().catch(() => undefined);
      });
    return result as never;
  }
}
