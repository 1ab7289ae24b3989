import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { MeTag } from '../../iam/index.js';
import {
  Answers,
  ApiCreatedResponse,
  Bearer,
  IfMatch,
  Operation,
  type Precondition,
  Problems,
  Versioned,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Caller } from '../../platform/web/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { requireCode } from '../factor-answer.js';
import {
  AddedAuthenticatorResponse,
  AddPasskeyDto,
  AuthenticatorListResponse,
  AuthenticatorResponse,
  CeremonyOptionsResponse,
  ConfirmTotpDto,
  ENROLLING,
  NewTotpResponse,
  RenameAuthenticatorDto,
} from './authenticator.dto.js';
import { PasskeyEnrolment } from '../passkeys/passkey-enrolment.js';
import { FactorResetResponse } from '../reset/factor-reset.dto.js';
import { TotpEnrolment } from '../totp/totp-enrolment.js';
import { AuthenticatorService } from './authenticator.service.js';
import { AuthenticatorOverview } from './authenticator-overview.service.js';
import { Authenticators, type OwnAuthenticator } from './authenticators.js';

/** The caller's second factors. */
@MeTag()
@Controller('api/v1/iam/me/authenticators')
export class AuthenticatorController {
  constructor(
    private readonly overview: AuthenticatorOverview,
    private readonly authenticators: Authenticators,
    private readonly management: AuthenticatorService,
    private readonly totp: TotpEnrolment,
    private readonly passkeys: PasskeyEnrolment,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Bearer('app')
  @Operation('List my authenticators')
  @Answers(AuthenticatorListResponse)
  async listMyAuthenticators(@Caller() caller: PersonPrincipal) {
    const own = await this.overview.get(caller);
    return {
      items: [
        ...own.apps.map((app) => AuthenticatorResponse.of(app)),
        ...own.passkeys.map((passkey) => AuthenticatorResponse.of(passkey)),
      ],
      recoveryCodesLeft: own.recoveryCodesLeft,
      trustedDevices: own.trustedDevices,
      acceptedCredentialIds: own.passkeys.map(({ credentialId }) => credentialId.toString('base64url')),
      rpId: this.settings.PASSKEY_RP_ID,
      userHandle: own.userHandle?.toString('base64url') ?? null,
      reset: own.reset && FactorResetResponse.of(own.reset),
      shouldEnrol: own.shouldEnrol,
    };
  }

  @Post('totp')
  @Bearer('app', ENROLLING)
  @Problems('conflict')
  @Operation(
    'Begin to add an authenticator app',
    'Counts for nothing until it is confirmed. Replaces an earlier one that was not.',
  )
  @ApiCreatedResponse({ type: NewTotpResponse })
  beginTotp(@Caller() caller: PersonPrincipal): Promise<NewTotpResponse> {
    return this.totp.begin(caller);
  }

  @Post('totp/:id/confirm')
  @Bearer('app', ENROLLING)
  @Problems('conflict')
  @Operation(
    'Confirm an authenticator app',
    'By a code of it, which cannot be used again. From then on, each sign-in asks for one.',
  )
  @Answers(AddedAuthenticatorResponse)
  async confirmTotp(
    @Caller() caller: PersonPrincipal,
    @Param('id') id: string,
    @Body() body: ConfirmTotpDto,
  ) {
    const { authenticator, recoveryCodes } = await this.totp.confirm(
      caller,
      id,
      requireCode(body, 'totp'),
      body.name,
    );
    return { authenticator: await this.read(caller, authenticator.id), recoveryCodes };
  }

  @Post('passkeys/options')
  @Bearer('app', ENROLLING)
  @Problems('conflict')
  @Operation('Begin to add a passkey')
  @Answers(CeremonyOptionsResponse)
  async beginPasskey(@Caller() caller: PersonPrincipal) {
    return this.passkeys.begin(caller);
  }

  @Post('passkeys')
  @Bearer('app', ENROLLING)
  @Problems('conflict')
  @Operation('Add a passkey')
  @ApiCreatedResponse({ type: AddedAuthenticatorResponse })
  async addPasskey(
    @Caller() caller: PersonPrincipal,
    @Body() { ceremony, credential, name }: AddPasskeyDto,
  ): Promise<AddedAuthenticatorResponse> {
    const { authenticator, recoveryCodes } = await this.passkeys.add(caller, ceremony, credential, name);
    return { authenticator: await this.read(caller, authenticator.id), recoveryCodes };
  }

  @Get(':id')
  @Bearer('app')
  @Operation('Get one of my authenticators')
  @Versioned(AuthenticatorResponse)
  getMyAuthenticator(@Caller() caller: PersonPrincipal, @Param('id') id: string) {
    return this.read(caller, id);
  }

  @Patch(':id')
  @Bearer('app', ENROLLING)
  @Operation('Rename an authenticator')
  @Versioned(AuthenticatorResponse)
  async renameAuthenticator(
    @Caller() caller: PersonPrincipal,
    @Param('id') id: string,
    @Body() { name }: RenameAuthenticatorDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    return AuthenticatorResponse.of(await this.management.rename(caller, id, name, asRead(ifMatch)));
  }

  @Delete(':id')
  @Bearer('app', ENROLLING)
  @Problems('conflict')
  @HttpCode(204)
  @Operation(
    'Remove an authenticator',
    'With the last one the recovery codes go. 409 while an organization of the person requires a second factor.',
  )
  async removeAuthenticator(
    @Caller() caller: PersonPrincipal,
    @Param('id') id: string,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await this.management.remove(caller, id, asRead(ifMatch));
  }

  private async read({ userId }: PersonPrincipal, id: string): Promise<AuthenticatorResponse> {
    return AuthenticatorResponse.of(await this.authenticators.get(userId, id));
  }
}

/** Requires that an authenticator is as the caller read it. */
const asRead =
  (ifMatch: Precondition) =>
  (read: () => Promise<OwnAuthenticator>): Promise<void> =>
    ifMatch.require(async () => AuthenticatorResponse.of(await read()));
