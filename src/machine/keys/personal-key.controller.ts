import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Creates, MeTag } from '../../iam/index.js';
import { type PersonPrincipal, SENSITIVE } from '../../kernel/index.js';
import { Bearer, Operation, type Page, Paged, PageOf, Problems, toPage } from '../../platform/api/index.js';
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
  @Operation('List my keys', 'Oldest first.')
  async listMyKeys(@Caller() { userId }: PersonPrincipal, @PageOf() page: Page) {
    return toPage(await this.keys.list(userId, page), page, PersonalKeyResponse.from);
  }

  @Post()
  @Bearer('app', SENSITIVE)
  @Problems('conflict')
  @Operation(
    'Create a key of my own',
    'Acts as the caller in one organization. It ends with the membership. The response contains the key, which cannot be read again.',
  )
  @Creates(CreatedPersonalKeyResponse, '/api/v1/iam/me/keys/{id}')
  async createMyKey(@Caller() caller: PersonPrincipal, @Body() body: CreatePersonalKeyDto) {
    const { credential, plainKey } = await this.keys.create(caller, body);
    return { ...PersonalKeyResponse.from({ ...credential, refusedFor: null }), key: plainKey };
  }

  @Delete(':keyId')
  @Bearer('app', { ownProof: 'if-available' })
  @HttpCode(204)
  @Operation('Revoke a key of my own')
  async revokeMyKey(@Caller() { userId }: PersonPrincipal, @Param('keyId') keyId: string): Promise<void> {
    await this.keys.revoke(userId, keyId);
  }
}
