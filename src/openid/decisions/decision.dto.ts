import {
  booleanField,
  Input,
  integerField,
  listField,
  objectField,
  Output,
  textField,
  ulidField,
  wordField,
} from '../../platform/api/index.js';
import { type Acr, ACRS, type TenantId } from '../../kernel/index.js';
import { CLIENT_LOGO_URL, clientLogoUrlOf, hostOfClientUrl, isClientUrl } from '../../client/index.js';
import { plainScopesOf } from '../apis/api-scopes.js';
import { AskedApiResponse } from '../apis/asked-api.dto.js';
import type { PresentedRequest } from './requested-sign-in.js';

export class ApproveDto {
  @Input(
    ulidField({
      description:
        'Organization of the grant; by default the selected one. That of the client, if it has one.',
    }),
    {
      optional: true,
    },
  )
  tenantId?: TenantId;
}

const WEB_ADDRESS = { max: 500, format: 'uri' } as const;

class AskingClientResponse {
  @Output(textField({ max: 250, example: 'help-centre' }))
  clientId: string;
  @Output(textField({ max: 250, example: 'agent.example.com' }), {
    nullable: true,
    description:
      'Host of the client id, in ASCII, of a client by metadata document. Show it, as the name is unchecked. Null for a registered client.',
  })
  idHost: string | null;
  @Output(textField({ max: 100, example: 'Help centre' }))
  name: string;
  @Output(textField({ ...WEB_ADDRESS, example: 'https://help.example.com/logo.png' }), { nullable: true })
  logoUri: string | null;
  @Output(CLIENT_LOGO_URL, { nullable: true })
  logoUrl: string | null;
  @Output(textField({ ...WEB_ADDRESS, example: 'https://help.example.com/callback' }))
  redirectUri: string;
  @Output(
    booleanField({
      example: false,
      description: 'Whether it belongs to an organization, which is then that of the grant.',
    }),
  )
  ofOrganization: boolean;
}

export class AuthorizationResponse {
  @Output(objectField(() => AskingClientResponse))
  client: AskingClientResponse;
  @Output(listField({ max: 205, pattern: /^[\w:-]+$/, example: ['openid', 'email'] }))
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
  @Output(textField({ max: 2_048, example: 'ada@example.com' }), { nullable: true })
  loginHint: string | null;
  @Output(integerField({ min: 0, max: 2_147_483_647, example: 600, description: 'Seconds.' }), {
    nullable: true,
  })
  maxAge: number | null;
  @Output(wordField(ACRS), { nullable: true })
  acr: Acr | null;
  @Output(booleanField({ example: false }))
  firstParty: boolean;
  @Output(
    booleanField({
      example: true,
      description: 'Whether the person must see the scopes before they approve. True without a token.',
    }),
  )
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
  @Output(
    textField({
      max: 8_192,
      format: 'uri',
      description:
        'Address to which the app sends the browser: a redirect URI of the client, or a page of this service that posts to it.',
      example:
        'https://help.example.com/callback?code=Yl5sQpD3c8m0&state=x1&iss=https%3A%2F%2Flogin.example.com',
    }),
  )
  redirectTo: string;
}
