import { Module } from '@nestjs/common';
import { IamModule } from '../iam/index.js';
import { MachineModule } from '../machine/index.js';
import { SessionModule } from '../session/index.js';
import { MeController } from './me.controller.js';

/** The caller's own account, which needs accounts, service accounts and sessions at once. */
@Module({
  imports: [IamModule, MachineModule, SessionModule],
  controllers: [MeController],
})
export class ProfileModule {}
