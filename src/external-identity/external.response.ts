import {
  ApiParam,
  integerField,
  objectField,
  Output,
  textField,
  timeField,
  ulidField,
  wordField,
} from '../platform/api/index.js';
import type { StartedFlow } from './flow/start.service.js';
import { FLOW_LIFETIME_SECONDS } from './flow/state/state.js';
import type { Identity, ListedIdentity } from './linking/identity.repository.js';
import { KINDS, type Kind } from './providers/provider.js';

const addressField = (description: string, example: string) =>
  textField({ max: 8_192, format: 'uri', description, example });

/** Name of the schema of kinds in the API document. Modules add their kinds to it. */
export const KIND_WORDS = 'ExternalKind';
const KIND = wordField(KINDS, { example: 'oidc', enumName: KIND_WORDS });
export const KindParam = () =>
  ApiParam({
    name: 'kind',
    enum: [...KINDS],
    enumName: KIND_WORDS,
    description: 'Kind of the identity provider.',
  });

export const ConnectionParam = () =>
  ApiParam({
    name: 'connection',
    schema: {
      type: 'string',
      pattern: '^[0-9A-Z]{26}$',
      maxLength: 26,
      example: '01K2Z8Q4V7N3T6B9C1D5F8G0HJ',
    },
    description: 'Id of the connection.',
  });

/** Header of the responses that start a flow. */
export const BROWSER_COOKIE = {
  'Set-Cookie': {
    description:
      'For a flow without `codeChallenge`, if this deployment binds sign-ins to the browser. Call from a page of the same site, with credentials, so that the browser keeps the cookie.',
    schema: { type: 'string' as const, pattern: '^(__Host-)?gatehouse-browser=', maxLength: 300 },
    example:
      '__Host-gatehouse-browser=mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax',
  },
};

/** Response of the start of an external sign-in, as in the API specification. */
export class ExternalSignInResponse {
  @Output(wordField(['/api/contexts/ExternalSignIn']))
  '@context': string;
  @Output(
    textField({
      max: 200,
      pattern: '^/api/iam/auth/external/[a-z0-9_]+/flows/[0-9A-Z]{26}$',
      example: '/api/iam/auth/external/oidc/flows/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    }),
  )
  '@id': string;
  @Output(wordField(['ExternalSignIn']))
  '@type': string;
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  id: string;
  @Output(KIND)
  kind: Kind;
  @Output(
    addressField(
      'Address to redirect the browser to.',
      'https://idp.example.com/authorize?client_id=gatehouse',
    ),
  )
  authorizationUrl: string;
  @Output(
    textField({
      max: 4_096,
      pattern: '^[\\w.-]+$',
      description: 'Sealed, and signed by HMAC-SHA256. Compare it with the `state` in the fragment.',
      example: 'eyJraW5kIjoib2lkYyJ9.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
    }),
  )
  state: string;
  @Output(
    addressField(
      'Callback of this service, as registered with the provider.',
      'https://id.example.com/api/iam/auth/external/oidc/callback',
    ),
  )
  redirectUri: string;
  @Output(addressField('Address to which the browser returns.', 'https://app.example.com/signed-in'))
  returnUri: string;
  @Output(integerField({ min: 1, max: 3_600, example: FLOW_LIFETIME_SECONDS }))
  expiresInSeconds: number;
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1', description: 'Connection of the request.' }), {
    required: false,
  })
  connectionId?: string;

  static from(flow: StartedFlow): ExternalSignInResponse {
    return {
      '@context': '/api/contexts/ExternalSignIn',
      '@id': `/api/iam/auth/external/${flow.kind}/flows/${flow.id}`,
      '@type': 'ExternalSignIn',
      ...flow,
      expiresInSeconds: FLOW_LIFETIME_SECONDS,
    };
  }
}

export class IdentityResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  id: string;
  @Output(KIND)
  kind: Kind;
  @Output(textField({ max: 500, example: 'https://idp.example.com' }))
  issuer: string;
  @Output(timeField())
  createdAt: string;
  @Output(timeField())
  lastUsedAt: string;

  static from({ id, kind, issuer, createdAt, lastUsedAt }: Identity): IdentityResponse {
    return { id, kind, issuer, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt.toISOString() };
  }
}

class IdentityOrganizationResponse {
  @Output(ulidField({ example: '01K2Z8Q4V7N3T6B9C1D5F8G0HJ' }))
  id: string;
  @Output(textField({ max: 100, example: 'Lovelace Logistics' }))
  name: string;
}

export class ListedIdentityResponse extends IdentityResponse {
  @Output(objectField(() => IdentityOrganizationResponse), {
    nullable: true,
    description: 'Organization whose connection signs in to the account; null for other providers.',
  })
  organization: IdentityOrganizationResponse | null;

  static of({ organization, ...identity }: ListedIdentity): ListedIdentityResponse {
    return { ...IdentityResponse.from(identity), organization };
  }
}
