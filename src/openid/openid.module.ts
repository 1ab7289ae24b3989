import { Module } from '@nestjs/common';
import { AbilityModule } from '../ability/index.js';
import { MachineModule } from '../machine/index.js';
import { SessionModule } from '../session/index.js';
import { TokenController } from './token/token.controller.js';
import { TokenService } from './token/token.service.js';

/** The token endpoint of OAuth 2.0, for service accounts. */
@Module({
  imports: [AbilityModule, MachineModule, SessionModule],
  controllers: [TokenController],
  providers: [TokenService],
})
export class OpenIdModule {}
