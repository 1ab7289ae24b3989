import { Client } from 'pg';

/**
 * A connection that ends itself when an answer is overdue (`query_timeout`). The driver alone would hand it back to the pool, where
 * whoever gets it next waits behind the question that was never answered; on a network that swallows packets, for a quarter of an hour.
 */
export class ImpatientClient extends Client {
  override query(...question: never[]): never {
    const answer: unknown = super.query(...(question as unknown as [string]));
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout')
          void this.end().catch(() => undefined);
      });
    }
    return answer as never;
  }
}
