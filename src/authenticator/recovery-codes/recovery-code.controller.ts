import { Controller, Post } from '@nestjs/common';
import { MeTag } from '../../iam/index.js';
import { Answers, Bearer, Operation, Problems } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { ENROLLING, RecoveryCodesResponse } from '../management/authenticator.dto.js';
import { RecoveryCodeService } from './recovery-code.service.js';

/** The caller's recovery codes. */
@MeTag()
@Controller('api/v1/iam/me/recovery-codes')
export class RecoveryCodeController {
  constructor(private readonly codes: RecoveryCodeService) {}

  @Post()
  @Bearer('app', ENROLLING)
  @Problems('conflict')
  @Operation('Create new recovery codes', 'The former ones are void.')
  @Answers(RecoveryCodesResponse)
  async renewRecoveryCodes(@Caller() caller: PersonPrincipal) {
    return { recoveryCodes: await this.codes.renew(caller) };
  }
}
