import { createServer } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { etagOf, isVersioned } from './versioned-body.js';

/** Nest's adapter for Express, with the settings that must not depend on who starts the service. */
export class ServiceAdapter extends ExpressAdapter {
  constructor() {
    const app = express();
    // Read when Nest registers its first middleware, in the constructor.
    app.enable('case sensitive routing');
    super(app);
  }

  /**
   * Creates the server.
   * @throws {Error} for options of the server: the proxy terminates TLS, and `platform/health`
   *   closes connections
   */
  override initHttpServer(options: NestApplicationOptions): void {
    if (options.httpsOptions || options.forceCloseConnections || options.return503OnClosing)
      throw new Error('The server of this adapter supports neither TLS nor options for closing.');
    const app = this.getInstance<Express>();
    // `access/request-pipeline.ts` refuses a request without Host: Node's own response has no body.
    this.httpServer = createServer({ ...this.serverClasses(app), requireHostHeader: false }, app);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    // Responses of handlers have no validators, but Express answers 304 to `If-None-Match: *`.
    Object.defineProperty(response.req, 'fresh', { value: false });
    if (typeof body === 'object' && body !== null && isVersioned(body))
      response.setHeader('ETag', etagOf(body));
    return super.reply(response, body, statusCode);
  }

  /** Returns classes of request and response for the server; Node's own if there are none. */
  protected serverClasses(_app: Express): object {
    return {};
  }
}
