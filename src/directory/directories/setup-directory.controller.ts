import { Body, Controller, Get, Inject, Post } from '@nestjs/common';
import { BySetupLink, SetupTag, UsedLink, type UsedSetupLink } from '../../connection/index.js';
import { Answers, ApiCreatedResponse, Operation, Problems } from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import {
  CreatedDirectoryTokenResponse,
  DirectoryTokenResponse,
  SetupDirectoryDto,
  SetupDirectoryResponse,
} from './directory.dto.js';
import { SetupDirectoryService } from './setup-directory.service.js';

/** The one directory of a set-up link. */
@SetupTag()
@Controller('api/v1/iam/setup/directory')
export class SetupDirectoryController {
  constructor(
    private readonly setup: SetupDirectoryService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @BySetupLink('directory')
  @Problems('not-found')
  @Operation('Get the directory of a set-up link', '404 until it has created one.')
  @Answers(SetupDirectoryResponse)
  async getSetupDirectory(@UsedLink() link: UsedSetupLink) {
    return SetupDirectoryResponse.of(await this.setup.get(link), this.settings.PUBLIC_URL);
  }

  @Post()
  @BySetupLink('directory')
  @Problems('conflict')
  @Operation(
    'Create the directory of a set-up link',
    'Create a token next, and enter it with `baseUrl` at the identity provider.',
  )
  @ApiCreatedResponse({ type: SetupDirectoryResponse })
  async createSetupDirectory(
    @UsedLink() link: UsedSetupLink,
    @Body() { name }: SetupDirectoryDto,
  ): Promise<SetupDirectoryResponse> {
    return SetupDirectoryResponse.of(await this.setup.create(link, name), this.settings.PUBLIC_URL);
  }

  @Post('tokens')
  @BySetupLink('directory')
  @Problems('not-found', 'conflict')
  @Operation(
    'Create a token of the directory of a set-up link',
    'The response contains the token, which cannot be read again. 409 with two tokens.',
  )
  @ApiCreatedResponse({ type: CreatedDirectoryTokenResponse })
  async createSetupDirectoryToken(
    @UsedLink() link: UsedSetupLink,
    @Body() { name }: SetupDirectoryDto,
  ): Promise<CreatedDirectoryTokenResponse> {
    const { plainKey, ...token } = await this.setup.createToken(link, name);
    return { ...DirectoryTokenResponse.from(token), token: plainKey };
  }
}
