import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Creates, MeTag } from '../../iam/index.js';
import { type PersonPrincipal, SENSITIVE } from '../../kernel/index.js';
import {
  ApiOperation,
  Bearer,
  type ItemPage,
  type Page,
  Paged,
  PageOf,
  Problems,
  toPage,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { CreatedPersonalKeyResponse, CreatePersonalKeyDto, PersonalKeyResponse } from './key.dto.js';
import { PersonalKeyService } from './personal-key.service.js';

/** Keys by which the caller's own programs act for them. */
@MeTag()
@Controller('api/v1/iam/me/keys')
export class PersonalKeyController {
  constructor(private readonly keys: PersonalKeyService) {}

  @Get()
  @Bearer('app')
  @Paged(PersonalKeyResponse)
  @ApiOperation({ operationId: 'listMyKeys', summary: 'List my keys', description: 'Oldest first.' })
  async list(
    @Caller() { userId }: PersonPrincipal,
    @PageOf() page: Page,
  ): Promise<ItemPage<PersonalKeyResponse>> {
    return toPage(await this.keys.list(userId, page), page, PersonalKeyResponse.from);
  }

  @Post()
  @Bearer('app', SENSITIVE)
  @Problems('conflict')
  @ApiOperation({
    operationId: 'createMyKey',
    summary: 'Create a key of my own',
    description:
      'Acts as the caller in one organization. It ends with the membership. The response contains the key, which cannot be read again.',
  })
  @Creates(CreatedPersonalKeyResponse, '/api/v1/iam/me/keys/{id}')
  async create(
    @Caller() caller: PersonPrincipal,
    @Body() body: CreatePersonalKeyDto,
  ): Promise<CreatedPersonalKeyResponse> {
    const { credential, plainKey } = await this.keys.create(caller, body);
    return { ...PersonalKeyResponse.from({ ...credential, refusedFor: null }), key: plainKey };
  }

  @Delete(':keyId')
  @Bearer('app', { ownProof: 'if-available' })
  @HttpCode(204)
  @ApiOperation({ operationId: 'revokeMyKey', summary: 'Revoke a key of my own' })
  async revoke(@Caller() { userId }: PersonPrincipal, @Param('keyId') keyId: string): Promise<void> {
    await this.keys.revoke(userId, keyId);
  }
}
