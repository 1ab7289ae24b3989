import { Body, Controller, Post } from '@nestjs/common';
import { AcceptedResponse } from '../../iam/index.js';
import { Accepts, Input, Operation, Public } from '../../platform/api/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { LEAKED_KEY_LIMIT, MachinesTag } from '../machine.declarations.js';
import { LeakedKeyService } from './leaked-key.service.js';

class ReportLeakedKeyDto {
  @Input.text({
    max: 200,
    description: 'The key or client secret, as it was found.',
    example: 'gh_sa_4Xq0Zt81LM_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV_0000aB',
  })
  key: string;
}

/** Reports of keys that were found in public. */
@MachinesTag()
@Controller('api/v1/iam/leaked-keys')
export class LeakedKeyController {
  constructor(private readonly leaks: LeakedKeyService) {}

  @Post()
  @Public('the key itself is the proof')
  @StrictLimit(LEAKED_KEY_LIMIT)
  @Operation(
    'Report a leaked key',
    'Revokes the key and tells its owners by mail. The response is the same for a key that does not exist.',
  )
  @Accepts(AcceptedResponse)
  async reportLeakedKey(@Body() { key }: ReportLeakedKeyDto): Promise<AcceptedResponse> {
    await this.leaks.report(key);
    return { status: 'accepted' };
  }
}
