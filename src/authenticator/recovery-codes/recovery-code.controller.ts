import { Controller, HttpCode, Post } from '@nestjs/common';
import { MeTag } from '../../iam/index.js';
import { ApiOkResponse, ApiOperation, Bearer, Problems } from '../../platform/api/index.js';
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
  @HttpCode(200)
  @ApiOperation({
    operationId: 'renewRecoveryCodes',
    summary: 'Create new recovery codes',
    description: 'The former ones are void.',
  })
  @ApiOkResponse({ type: RecoveryCodesResponse })
  async renew(@Caller() caller: PersonPrincipal): Promise<RecoveryCodesResponse> {
    return { recoveryCodes: await this.codes.renew(caller) };
  }
}
