import { Module } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { LoggerModule } from 'nestjs-pino';
import { SETTINGS, type Settings } from '../config/index.js';
import { requestIdOf } from '../http/index.js';

interface Routed extends IncomingMessage {
  readonly route?: { readonly path?: string };
}

/**
 * One JSON line per request and per event. A request line names the route's pattern, never the address that was asked for, nor headers,
 * body, client address or user agent: what is not logged need not be erased.
 */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: (settings: Settings) => ({
        pinoHttp: {
          level: settings.LOG_LEVEL,
          genReqId: (request: IncomingMessage) => requestIdOf(request),
          serializers: {
            req: (request: { id: string; method: string }) => ({ id: request.id, method: request.method }),
            res: (response: { statusCode: number }) => ({ statusCode: response.statusCode }),
          },
          customProps: (request: IncomingMessage) => ({
            route: (request as Routed).route?.path ?? 'unmatched',
          }),
          customErrorObject: (
            _request: IncomingMessage,
            _response: unknown,
            _error: Error,
            value: Record<string, unknown>,
          ) => ({ ...value, err: undefined }),
          autoLogging: {
            ignore: (request: IncomingMessage) => request.url === '/healthz' || request.url === '/readyz',
          },
        },
      }),
    }),
  ],
})
export class LoggingModule {}
