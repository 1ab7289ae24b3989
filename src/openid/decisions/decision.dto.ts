import { Input, listField, objectField, Output, textField } from '../../platform/api/index.js';
import { type Acr, ACRS, type TenantId } from '../../kernel/index.js';
import { CLIENT_LOGO_URL, clientLogoUrlOf, hostOfClientUrl, isClientUrl } from '../../client/index.js';
import { plainScopesOf } from '../apis/api-scopes.js';
import { AskedApiResponse } from '../apis/asked-api.dto.js';
import type { PresentedRequest } from './requested-sign-in.js';

export class ApproveDto {
  @Input.ulid({
    optional: true,
    description: 'Organization of the grant; by default the selected one. That of the client, if it has one.',
  })
  tenantId?: TenantId;
}

const WEB_ADDRESS = { max: 500, format: 'uri' } as const;

class AskingClientResponse {
  @Output.text({ max: 250, example: 'help-centre' })
  clientId: string;
  @Output(textField({ max: 250, example: 'agent.example.com' }), {
    nullable: true,
    description:
      'Host of the client id, in ASCII, of a client by metadata document. Show it, as the name is unchecked. Null for a registered client.',
  })
  idHost: string | null;
  @Output.text({ max: 100, example: 'Help centre' })
  name: string;
  @Output.text({ nullable: true, ...WEB_ADDRESS, example: 'https://help.example.com/logo.png' })
  logoUri: string | null;
  @Output(CLIENT_LOGO_URL, { nullable: true })
  logoUrl: string | null;
  @Output.text({ ...WEB_ADDRESS, example: 'https://help.example.com/callback' })
  redirectUri: string;
  @Output.boolean({
    example: false,
    description: 'Whether it belongs to an organization, which is then that of the grant.',
  })
  ofOrganization: boolean;
}

export class AuthorizationResponse {
  @Output(objectField(() => AskingClientResponse))
  client: AskingClientResponse;
  @Output.list({ max: 205, pattern: /^[\w:-]+$/, example: ['openid', 'email'] })
  scopes: string[];
  @Output(objectField(() => AskedApiResponse), {
    nullable: true,
    description: 'API that the request is for; null for this service.',
  })
  api: AskedApiResponse | null;
  @Output(listField({ max: 3, pattern: /^(?:none|login|consent|select_account)$/, example: [] }), {
    description: 'With `none`, approve at once, or deny if the person has not signed in.',
  })
  prompt: string[];
  @Output.text({ nullable: true, max: 2_048, example: 'ada@example.com' })
  loginHint: string | null;
  @Output.integer({ nullable: true, min: 0, max: 2_147_483_647, example: 600, description: 'Seconds.' })
  maxAge: number | null;
  @Output.word(ACRS, { nullable: true })
  acr: Acr | null;
  @Output.boolean({ example: false })
  firstParty: boolean;
  @Output.boolean({
    example: true,
    description: 'Whether the person must see the scopes before they approve. True without a token.',
  })
  needsConsent: boolean;

  static from({ client, request, api, needsConsent }: PresentedRequest): AuthorizationResponse {
    const { clientId, name, logoUri, firstParty, tenantId } = client;
    const logoUrl = clientLogoUrlOf(client);
    const { redirectUri, scopes, prompts: prompt, loginHint, maxAge, acr } = request;
    return {
      client: {
        clientId,
        idHost: isClientUrl(clientId) ? hostOfClientUrl(clientId) : null,
        name,
        logoUri,
        logoUrl,
        redirectUri,
        ofOrganization: tenantId !== null,
      },
      scopes: plainScopesOf(scopes),
      api: api && AskedApiResponse.from(api, scopes),
      prompt,
      loginHint,
      maxAge,
      acr,
      firstParty,
      needsConsent,
    };
  }
}

export class RedirectResponse {
  @Output.text({
    max: 8_192,
    format: 'uri',
    description:
      'Address to which the app sends the browser: a redirect URI of the client, or a page of this service that posts to it.',
    example:
      'https://help.example.com/callback?code=Yl5sQpD3c8m0&state=x1&iss=https%3A%2F%2Flogin.example.com',
  })
  redirectTo: string;
}
