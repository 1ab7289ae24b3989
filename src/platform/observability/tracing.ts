import type { Request, RequestHandler } from 'express';
import type { Client } from 'pg';

/**
 * Attributes of a span. Never personal data or input of a user: traces are stored outside the
 * service.
 */
export type Attributes = Readonly<Record<string, string | number>>;

/** Creates the spans of this process. This default creates none. */
export class Tracing {
  /**
   * Returns the Express middleware that creates a span for each request; null without tracing.
   * @param trusts whether a trusted proxy sent the request, so that its trace context is accepted
   */
  middleware(_trusts: (request: Request) => boolean): RequestHandler | null {
    return null;
  }

  /** Runs work in a span, as a child of the open one. */
  span<T>(_name: string, _attributes: Attributes, work: () => Promise<T>): Promise<T> {
    return work();
  }

  /**
   * Returns a class of database connections that create a span for each statement of a request or
   * job.
   */
  watching(connection: typeof Client): typeof Client {
    return connection;
  }

  /** Sends the remaining spans. */
  async onApplicationShutdown(): Promise<void> {}
}
