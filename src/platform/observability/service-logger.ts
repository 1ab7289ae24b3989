import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

/** What the framework says about each class and route at every start; the route manifest says it better. */
const CHATTER = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** The logger of the application: JSON lines, without the framework's start-up chatter. */
@Injectable()
export class ServiceLogger extends Logger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (!CHATTER.has(String(rest.at(-1)))) super.log(message, ...rest);
  }
}
