import type { Request, RequestHandler } from 'express';
import type { Client } from 'pg';

/** What a span says of itself. Never what a user has given, nor who they are: traces are kept by others. */
export type Attributes = Readonly<Record<string, string | number>>;

/** The traces of this process. By default there are none, and they cost nothing. */
export class Tracing {
  /**
   * Express middleware that makes a span of each request; null where nothing is traced.
   * @param trusts whether the request comes from a machine of ours, which may say what trace it is a part of
   */
  middleware(_trusts: (request: Request) => boolean): RequestHandler | null {
    return null;
  }

  /** Does the work as a span of its own, within the one that is open here. */
  span<T>(_name: string, _attributes: Attributes, work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** The kind of database connection that makes a span of every statement which a request or a job sends. */
  watching(connection: typeof Client): typeof Client {
    return connection;
  }

  /** Sends what has not been sent. */
  async onApplicationShutdown(): Promise<void> {}
}
