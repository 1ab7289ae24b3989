import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { destination, type DestinationStream } from 'pino';
import { type Settings, SETTINGS } from '../config/index.js';

/** Lines are written together: a write for each costs as much as what it tells of. They wait no longer than this, nor past the end of the process. */
const FLUSH_MS = 100;
const LINES_BYTES = 4_096;
/** What waits when nobody reads the output or its volume is full; beyond it lines are lost, and the service goes on. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

function output(): DestinationStream {
  const stream = destination({
    sync: false,
    minLength: LINES_BYTES,
    periodicFlush: FLUSH_MS,
    maxLength: MAX_WAITING_BYTES,
  });
  // Such as ENOSPC: it is tried again with the lines that come next. Nobody could be told of it either.
  let fails = false;
  stream.on('error', () => (fails = true));
  stream.on('write', () => (fails = false));
  // At the end of the process SonicBoom tries until it succeeds, so that on a full volume the process would never end.
  const flush = stream.flushSync.bind(stream);
  stream.flushSync = () => (fails ? undefined : flush());
  return stream;
}

/** JSON lines by pino. Its own request log sits behind the front door and would miss what that refuses: ours is RequestLog. */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: (settings: Settings) => ({
        pinoHttp: [{ level: settings.LOG_LEVEL, autoLogging: false }, output()],
        forRoutes: [],
      }),
    }),
  ],
})
export class LoggingModule {}
