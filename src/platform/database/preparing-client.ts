import { isPlanOutdated } from '../errors/index.js';
import { ImpatientClient } from './impatient-client.js';
import { nameOf } from './prepared.js';

/** A connection that prepares the statements which are marked so, under a name. Not for a pooler, behind which the next statement goes to another session. */
export class PreparingClient extends ImpatientClient {
  override query(...question: never[]): never {
    const [text, values, ...rest] = question as unknown as [string, unknown[]?, ...unknown[]];
    const name = nameOf(text);
    if (name === undefined || rest.length > 0) return super.query(...question);
    const answer: unknown = super.query({ name, text, values } as never);
    // What was prepared here stays as it was: a new connection prepares it anew.
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (isPlanOutdated(error)) void this.end().catch(() => undefined);
      });
    return answer as never;
  }
}
