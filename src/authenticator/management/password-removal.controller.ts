import { Controller, Delete, HttpCode } from '@nestjs/common';
import { MeTag } from '../../iam/index.js';
import { Bearer, Operation, Problems } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { type PersonPrincipal, SENSITIVE } from '../../kernel/index.js';
import { PasswordRemoval } from './password-removal.service.js';

/** The caller's password, as far as passkeys replace it. */
@MeTag()
@Controller('api/v1/iam/me/password')
export class PasswordRemovalController {
  constructor(private readonly removal: PasswordRemoval) {}

  @Delete()
  @Bearer('app', SENSITIVE)
  @Problems('conflict')
  @HttpCode(204)
  @Operation(
    'Remove the password',
    'For people with two passkeys, or one and recovery codes; otherwise 409. Ends all other sessions of the account. A password can be set again by `request-password-reset`; the next sign-in by it asks for a second factor.',
  )
  async removeMyPassword(@Caller() caller: PersonPrincipal): Promise<void> {
    await this.removal.remove(caller);
  }
}
