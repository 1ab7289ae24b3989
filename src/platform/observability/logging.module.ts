import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { destination, type DestinationStream } from 'pino';
import { type Settings, SETTINGS } from '../config/index.js';
import { terminalLog } from './terminal-log.js';

/**
 * Maximum delay of a log line. Lines are written in batches, because one write per line costs as
 * much as a request; the rest is flushed at exit.
 */
const MAX_DELAY_MS = 100;
const BATCH_BYTES = 4_096;
/**
 * Maximum bytes that a write to a pipe has without bytes of other processes in it (PIPE_BUF of
 * Linux): lines of workers, which share one output, stay whole.
 */
const ATOMIC_BYTES = 4_096;
/** Maximum buffer if the output is not read or its volume is full; further lines are dropped. */
const MAX_BUFFER_BYTES = 16 * 1024 * 1024;

let stdout: DestinationStream | undefined;

/** The output of this process, which all its applications share. */
function output(settings: Settings): DestinationStream {
  return (stdout ??= process.stdout.isTTY ? terminalLog(process.stdout) : openOutput(settings));
}

function openOutput({ WORKERS }: Settings): DestinationStream {
  const stream = destination({
    sync: false,
    ...(WORKERS === 1 ? { minLength: BATCH_BYTES } : { minLength: ATOMIC_BYTES / 2, maxWrite: ATOMIC_BYTES }),
    periodicFlush: MAX_DELAY_MS,
    maxLength: MAX_BUFFER_BYTES,
  });
  // Such as ENOSPC: the next lines retry the write. There is no other output to report it to.
  let fails = false;
  stream.on('error', () => (fails = true));
  stream.on('write', () => (fails = false));
  // At exit SonicBoom retries until it succeeds, so that on a full volume the process would not
  // exit.
  const flush = stream.flushSync.bind(stream);
  stream.flushSync = () => (fails ? undefined : flush());
  return stream;
}

/**
 * Logs JSON lines by pino, and readable ones at a terminal. Pino's request log is off: it would
 * miss the requests that the request pipeline refuses. {@link RequestLog} replaces it.
 */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: (settings: Settings) => ({
        pinoHttp: [{ level: settings.LOG_LEVEL, autoLogging: false }, output(settings)],
        forRoutes: [],
      }),
    }),
  ],
})
export class LoggingModule {}
