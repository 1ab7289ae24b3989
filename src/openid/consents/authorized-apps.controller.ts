import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { MeTag } from '../../iam/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import {
  ApiParam,
  Bearer,
  booleanField,
  objectListField,
  Operation,
  Output,
  type Page,
  Paged,
  PageOf,
  Problems,
  textField,
  toPage,
  toResponse,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { type Api, CLIENT_LOGO_URL, clientLogoUrlOf } from '../../client/index.js';
import { plainScopesOf } from '../apis/api-scopes.js';
import { AskedApiResponse } from '../apis/asked-api.dto.js';
import { AskedApis } from '../apis/asked-apis.js';
import { ConsentWithdrawal } from './consent-withdrawal.js';
import { type AuthorizedApp, ConsentRepository } from './consent.repository.js';

const CLIENT_ID = textField({ max: 250, example: 'help-centre' });

class AuthorizedAppResponse {
  @Output.ulid({ description: 'Registration of the app, by which it can be withdrawn, too.' })
  id: string;
  @Output(CLIENT_ID)
  clientId: string;
  @Output.text({ max: 100, example: 'Help centre' })
  name: string;
  @Output.text({ nullable: true, max: 500, format: 'uri', example: 'https://help.example.com/logo.png' })
  logoUri: string | null;
  @Output(CLIENT_LOGO_URL, { nullable: true })
  logoUrl: string | null;
  @Output.list({ max: 205, pattern: /^[\w:-]+$/, example: ['openid', 'email'] })
  scopes: string[];
  @Output(objectListField(() => AskedApiResponse, 100), {
    description: 'APIs that it may use in your name.',
  })
  apis: AskedApiResponse[];
  @Output(booleanField({ example: false }), {
    description:
      'Whether your organization has consented for all members. You are not asked again then, also after a withdrawal.',
  })
  memberConsent: boolean;
  @Output.time()
  grantedAt: string;
  @Output.time({
    nullable: true,
    description: 'Its last token in your name; null if you have signed out since.',
  })
  lastUsedAt: string | null;

  static from(app: AuthorizedApp, apis: readonly Api[]): AuthorizedAppResponse {
    return toResponse(AuthorizedAppResponse, {
      ...app,
      logoUrl: clientLogoUrlOf(app),
      scopes: plainScopesOf(app.scopes),
      apis: AskedApiResponse.listOf(apis, app.scopes),
    });
  }
}

/** Third-party clients that a person has allowed scopes. */
@MeTag()
@Controller('api/v1/iam/me/authorized-apps')
export class AuthorizedAppsController {
  constructor(
    private readonly consents: ConsentRepository,
    private readonly withdrawal: ConsentWithdrawal,
    private readonly asked: AskedApis,
  ) {}

  @Get()
  @Bearer('app')
  @Paged(AuthorizedAppResponse)
  @Operation(
    'List the apps that you have authorized',
    'Third-party clients of OpenID Connect, in order of their registration.',
  )
  async listMyAuthorizedApps(@Caller() { userId }: PersonPrincipal, @PageOf() page: Page) {
    const apps = await this.consents.list(userId, page);
    const apis = await this.asked.findAll(apps.flatMap(({ scopes }) => scopes));
    return toPage(apps, page, (app) => AuthorizedAppResponse.from(app, apis));
  }

  @Delete(':clientId')
  @Bearer('app', { ownProof: 'if-available' })
  @HttpCode(204)
  @Problems('not-found')
  @ApiParam({
    name: 'clientId',
    description: 'Client id of the app, or its `id`.',
    schema: { type: 'string', maxLength: 64, pattern: '^[\\w.-]+$', examples: ['help-centre'] },
  })
  @Operation(
    'Withdraw your authorization of an app',
    'Its tokens are refused at once. It must ask again at the next sign-in.',
  )
  async withdrawMyAuthorization(
    @Caller() { userId }: PersonPrincipal,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    await this.withdrawal.withdraw(userId, clientId);
  }
}
