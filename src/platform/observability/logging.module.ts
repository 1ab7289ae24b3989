import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { SETTINGS, type Settings } from '../config/index.js';

/** JSON lines by pino. Its own request log sits behind the front door and would miss what that refuses: ours is RequestLog. */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: (settings: Settings) => ({
        pinoHttp: { level: settings.LOG_LEVEL, autoLogging: false },
        forRoutes: [],
      }),
    }),
  ],
})
export class LoggingModule {}
