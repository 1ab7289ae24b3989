import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { ClientIdParam, SatellitesTag } from '../../client/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  Answers,
  listField,
  objectListField,
  Operation,
  Output,
  wordField,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { plainScopesOf } from '../apis/api-scopes.js';
import { AskedApiResponse } from '../apis/asked-api.dto.js';
import { AskedApis } from '../apis/asked-apis.js';
import { type MemberConsent, MemberConsents } from './member-consents.js';

const STATES = ['none', 'partial', 'given'] as const;

class MemberConsentResponse {
  @Output(wordField(STATES), {
    description: 'With `partial`, members are asked for what the client could not ask for at the consent.',
  })
  state: (typeof STATES)[number];
  @Output(listField({ max: 205, pattern: /^[\w:-]+$/, example: ['openid', 'profile', 'email'] }), {
    description: 'What it can ask for, of this service.',
  })
  scopes: string[];
  @Output(objectListField(() => AskedApiResponse, 100), { description: 'What it can ask for, of APIs.' })
  apis: AskedApiResponse[];
}

/** Consents of an organization to its clients, for all members. */
@SatellitesTag()
@TenantParam('id')
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/clients/:clientId/consent')
export class MemberConsentController {
  constructor(
    private readonly consents: MemberConsents,
    private readonly asked: AskedApis,
  ) {}

  @Get()
  @RequireScopes('iam:client:read')
  @ClientIdParam()
  @Operation('Get the consent of an organization to its client', 'With what the client can ask for.')
  @Answers(MemberConsentResponse)
  async getMemberConsent(@Param() { id, clientId }: TenantPath<'clientId'>) {
    return this.responseOf(await this.consents.read(id, clientId));
  }

  @Put()
  @RequireScopes('iam:client:update')
  @ClientIdParam()
  @Operation(
    'Consent to a client for all members',
    'To all that it can ask for now. Members are not asked at their sign-in, and see it among their authorized apps. The caller has to hold the permissions that the client has.',
  )
  @Answers(MemberConsentResponse)
  async giveMemberConsent(@Caller() caller: Principal, @Param() { id, clientId }: TenantPath<'clientId'>) {
    return this.responseOf(await this.consents.give(id, caller, clientId));
  }

  @Delete()
  @RequireScopes('iam:client:update')
  @ClientIdParam()
  @HttpCode(204)
  @Operation(
    'Withdraw the consent of an organization to its client',
    'Members are asked at the next sign-in. Its tokens are not renewed for members who have not consented themselves.',
  )
  async withdrawMemberConsent(
    @Caller() { userId }: Principal,
    @Param() { id, clientId }: TenantPath<'clientId'>,
  ): Promise<void> {
    await this.consents.withdraw(id, userId, clientId);
  }

  private async responseOf({ scopes, consented }: MemberConsent): Promise<MemberConsentResponse> {
    const apis = await this.asked.findAll(scopes);
    const isWhole = scopes.every((scope) => consented.includes(scope));
    return {
      state: consented.length === 0 ? 'none' : isWhole ? 'given' : 'partial',
      scopes: plainScopesOf(scopes),
      apis: apis.map((api) => AskedApiResponse.from(api, scopes)),
    };
  }
}
