import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

/** Contexts of the framework's log lines about each class and route at start. */
const CHATTER = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** Logger of the application: JSON lines, without the framework's lines at start. */
@Injectable()
export class ServiceLogger extends Logger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (!CHATTER.has(String(rest.at(-1)))) super.log(message, ...rest);
  }
}
