import { Client, type ClientConfig } from 'pg';

/**
 * A connection that ends itself when an answer is overdue (`query_timeout`). The driver alone would hand it back to the pool, where
 * whoever gets it next waits behind the question that was never answered; on a network that swallows packets, for a quarter of an hour.
 */
export class ImpatientClient extends Client {
  /**
   * A connection may be cut in the moment between two who listen to its errors, and an error that nobody listens to ends the process. It is
   * said all the same: the next question on it fails, and the pool lets go of it.
   */
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }

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
