import { Body, Controller, Get, Inject, Param, Post, UseInterceptors } from '@nestjs/common';
import { BrandingService, LookResponse } from '../../iam/index.js';
import { Answers, ApiCreatedResponse, Operation, Problems } from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import type { DomainCheck } from '../domains/domain-lookup.js';
import { AddDomainDto, DomainResponse } from '../domains/domain.dto.js';
import { Lookup, LookupInterceptor } from '../domains/lookup.interceptor.js';
import { SetupTag } from '../connection.declarations.js';
import { BySetupLink, UsedLink } from './setup-access.js';
import type { UsedSetupLink } from './setup-links.js';
import { SetupConnectionResponse, SetupDomainsResponse, SetupResponse } from './setup.dto.js';
import { SetupService } from './setup.service.js';

/** What the page of a set-up link shows, and the domains. */
@SetupTag()
@Controller('api/v1/iam/setup')
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly brandings: BrandingService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @BySetupLink()
  @Operation(
    'Get what a set-up link is for',
    'The organization with its look, the intents, and the connection of the link.',
  )
  @Answers(SetupResponse)
  async getSetup(@UsedLink() link: UsedSetupLink) {
    const connection = await this.setup.findConnection(link);
    const look = await this.brandings.findLook(link.tenantId);
    return {
      organization: { name: link.organization },
      intents: link.intents,
      connection: connection && SetupConnectionResponse.of(connection, this.settings),
      expiresAt: link.expiresAt.toISOString(),
      ...(look && { branding: LookResponse.from(look) }),
    };
  }

  @Get('domains')
  @BySetupLink('domain', 'sso')
  @Operation('List the domains of the organization')
  @Answers(SetupDomainsResponse)
  async listSetupDomains(@UsedLink() link: UsedSetupLink) {
    const domains = await this.setup.listDomains(link);
    return { items: domains.map((domain) => DomainResponse.from(domain)) };
  }

  @Post('domains')
  @BySetupLink('domain')
  @Problems('conflict')
  @Operation(
    'Add a domain by a set-up link',
    'Publish the `record` in the DNS of the domain, then verify it.',
  )
  @ApiCreatedResponse({ type: DomainResponse })
  async addSetupDomain(
    @UsedLink() link: UsedSetupLink,
    @Body() { name }: AddDomainDto,
  ): Promise<DomainResponse> {
    return DomainResponse.from(await this.setup.addDomain(link, name));
  }

  @Post('domains/:domainId/verify')
  @BySetupLink('domain')
  @UseInterceptors(LookupInterceptor)
  @Problems('conflict', 'unavailable')
  @Operation(
    'Verify a domain by a set-up link',
    'Looks the record up. 409 if it is missing, with the records that were found, or if another organization has verified the domain.',
  )
  @Answers(DomainResponse)
  async verifySetupDomain(
    @UsedLink() link: UsedSetupLink,
    @Param('domainId') domainId: string,
    @Lookup() result: DomainCheck,
  ) {
    return DomainResponse.from(await this.setup.verifyDomain(link, domainId, result));
  }
}
