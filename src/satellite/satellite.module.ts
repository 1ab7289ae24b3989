import { Module } from '@nestjs/common';
import { ClientModule } from '../client/index.js';
import { IamModule } from '../iam/index.js';
import { SessionModule } from '../session/index.js';
import { CodeController } from './codes/code.controller.js';
import { CodeService } from './codes/code.service.js';

/** Satellites: first-party clients that take part in the session of their visitor by a code. */
@Module({
  imports: [ClientModule, IamModule, SessionModule],
  controllers: [CodeController],
  providers: [CodeService],
})
export class SatelliteModule {}
