import { Body, Controller, Get, HttpCode, Patch, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  AcceptedResponse,
  ProfileService,
  EmailChangeService,
  HASH_LIMIT,
  MeTag,
  PASSWORD_RESET_LIMIT,
  PasswordService,
  type Profile,
} from '../iam/index.js';
import { type PersonPrincipal, type Principal, SENSITIVE } from '../kernel/index.js';
import { MachineDirectory } from '../machine/index.js';
import {
  Accepts,
  Bearer,
  IfMatch,
  OpenTo,
  Operation,
  type Precondition,
  Problems,
  Versioned,
} from '../platform/api/index.js';
import { AppError } from '../platform/errors/index.js';
import { StrictLimit } from '../platform/rate-limit/index.js';
import { Caller, clientOf } from '../platform/web/index.js';
import { ImpersonationService } from '../session/index.js';
import { ChangeEmailDto, ChangePasswordDto, ProfileResponse, UpdateProfileDto } from './me.dto.js';

/** Operations on the caller's own account. */
@MeTag()
@Controller('api/v1/iam/me')
export class MeController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly passwords: PasswordService,
    private readonly emailChanges: EmailChangeService,
    private readonly services: MachineDirectory,
    private readonly impersonations: ImpersonationService,
  ) {}

  @Get()
  @OpenTo('people and machines')
  @Bearer('app and satellites')
  @Operation('Get current user', 'Also for a service account, which has `service` and no personal fields.')
  @Versioned(ProfileResponse)
  async getMe(@Caller() caller: Principal) {
    if (caller.kind === 'person' || caller.owner === 'person') {
      const isActing = caller.kind === 'person' && caller.actorId !== undefined;
      const acting = isActing ? await this.impersonations.find(caller.sessionId) : null;
      return ProfileResponse.from(await this.profiles.getProfile(caller.userId), acting);
    }
    const profile = await this.services.findProfile(caller);
    if (!profile) throw new AppError('unauthenticated');
    return ProfileResponse.ofService(profile);
  }

  @Patch()
  @Bearer('app', { ownProof: 'if-available' })
  @Operation('Change names and marketing consent', 'Fields that are left out stay as they are.')
  @Versioned(ProfileResponse)
  async updateMe(
    @Caller() caller: PersonPrincipal,
    @Body() body: UpdateProfileDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    const check = (lock: () => Promise<Profile>) =>
      ifMatch.require(async () => ProfileResponse.from(await lock()));
    return ProfileResponse.from(await this.profiles.updateProfile(caller.userId, body, check));
  }

  @Put('password')
  @Bearer('app')
  @StrictLimit(HASH_LIMIT)
  @HttpCode(204)
  @Operation('Change the password', 'Ends all other sessions of the account.')
  async changeMyPassword(
    @Caller() caller: PersonPrincipal,
    @Body() body: ChangePasswordDto,
    @Req() request: Request,
  ): Promise<void> {
    await this.passwords.change(caller, body.currentPassword, body.newPassword, clientOf(request));
  }

  @Put('email')
  @Bearer('app', SENSITIVE)
  @Problems('conflict')
  @StrictLimit(PASSWORD_RESET_LIMIT)
  @Operation(
    'Change the email address',
    'Mails a link to the new address; the account keeps its address until `confirm-email`. A further request replaces this one. The response is the same for an address that another account has. 409 if a directory of the organization manages the address.',
  )
  @Accepts(AcceptedResponse)
  async changeMyEmail(
    @Caller() caller: PersonPrincipal,
    @Body() { email }: ChangeEmailDto,
    @Req() request: Request,
  ): Promise<AcceptedResponse> {
    await this.emailChanges.request(caller, email, clientOf(request));
    return { status: 'accepted' };
  }
}
