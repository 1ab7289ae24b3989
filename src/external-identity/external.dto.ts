import {
  ApiParam,
  codeChallengeField,
  codeVerifierField,
  documentedForm,
  formText,
  Input,
  objectField,
  Output,
  textField,
  toResponse,
  wordField,
} from '../platform/api/index.js';
import type { StartedFlow } from './flow/start.service.js';
import { FLOW_LIFETIME_SECONDS } from './flow/state/state-store.js';
import type { Identity, ListedIdentity } from './linking/identity.repository.js';
import { type Kind, KINDS } from './providers/provider.js';
import { DEVICE_TOKEN } from '../authenticator/index.js';
import { LINE_PATTERN } from '../kernel/index.js';

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
  @Output.word(['/api/contexts/ExternalSignIn'])
  '@context': string;
  @Output.text({
    max: 200,
    pattern: '^/api/iam/auth/external/[a-z0-9_]+/flows/[0-9A-Z]{26}$',
    example: '/api/iam/auth/external/oidc/flows/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
  })
  '@id': string;
  @Output.word(['ExternalSignIn'])
  '@type': string;
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
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
  @Output.text({
    max: 4_096,
    pattern: '^[\\w.-]+$',
    description: 'Sealed, and signed by HMAC-SHA256. Compare it with the `state` in the fragment.',
    example: 'eyJraW5kIjoib2lkYyJ9.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  })
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
  @Output.integer({
    min: 1,
    max: 3_600,
    example: FLOW_LIFETIME_SECONDS,
    description: 'Seconds within which the sign-in has to be completed at the provider.',
  })
  expiresInSeconds: number;
  @Output.ulid({
    required: false,
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description: 'Connection of the request.',
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
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output(KIND)
  kind: Kind;
  @Output.text({ max: 500, example: 'https://idp.example.com' })
  issuer: string;
  @Output.time()
  createdAt: string;
  @Output.time()
  lastUsedAt: string;

  static from(identity: Identity): IdentityResponse {
    return toResponse(IdentityResponse, identity);
  }
}

class IdentityOrganizationResponse {
  @Output.ulid({ example: '01K2Z8Q4V7N3T6B9C1D5F8G0HJ' })
  id: string;
  @Output.text({ max: 100, example: 'Lovelace Logistics' })
  name: string;
}

export class ListedIdentityResponse extends IdentityResponse {
  @Output(objectField(() => IdentityOrganizationResponse), {
    nullable: true,
    description: 'Organization whose connection signs in to the account; null for other providers.',
  })
  organization: IdentityOrganizationResponse | null;

  static of(identity: ListedIdentity): ListedIdentityResponse {
    return toResponse(ListedIdentityResponse, identity);
  }
}

const RETURN_URI = textField({
  max: 500,
  example: 'https://app.example.com/signed-in',
  description:
    "Address to which the browser returns, with the outcome in the fragment. Default: the app's own.",
});

export class StartDto {
  @Input(RETURN_URI, { optional: true, nullable: true })
  returnUri?: string | null;

  @Input(
    codeChallengeField({
      description: 'If set, the fragment contains a code in place of tokens.',
    }),
    { optional: true },
  )
  codeChallenge?: string;

  @Input.integer({
    optional: true,
    min: 60,
    max: 86_400,
    example: 600,
    description:
      'Seconds within which the person must have authenticated at the provider. For `oidc` and `saml`: 400 for other kinds.',
  })
  maxAge?: number;

  @Input.ulid({
    optional: true,
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description: 'Connection of an organization, of this kind. Default: the provider of the deployment.',
  })
  connectionId?: string;

  @Input.text({
    optional: true,
    max: 254,
    example: 'ada@example.com',
    description: 'Address that the person has entered; passed on to the provider as `login_hint`.',
  })
  email?: string;
}

export class LinkDto {
  @Input(RETURN_URI, { optional: true, nullable: true })
  returnUri?: string | null;
}

export class RedeemLinkDto {
  @Input.text({
    max: 512,
    example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E',
    description: '`link_code` from the fragment.',
  })
  code: string;

  @Input(codeVerifierField(), {
    optional: true,
    description:
      'For a `link_code` beside `account_exists`: verifier of the flow, after a sign-in to the account.',
  })
  codeVerifier?: string;
}

export class RedeemDto {
  @Input.text({ max: 512, example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E' })
  code: string;

  @Input(codeVerifierField())
  codeVerifier: string;

  @Input(DEVICE_TOKEN, {
    optional: true,
    description: 'Of a trusted device, in place of a second factor. Ignored for hosted sign-in.',
  })
  deviceToken?: string;
}

/** Form fields that providers post to the callback; all others are ignored. */
export const CALLBACK_FORM = documentedForm(
  {
    state: formText(4_096, LINE_PATTERN, 'The signed state of `start`. Not sent by SAML providers.'),
    code: formText(4_096, LINE_PATTERN, 'Authorization code of the provider.'),
    error: formText(200, LINE_PATTERN, 'Why there is no code (RFC 6749 section 4.1.2.1).'),
    iss: formText(500, LINE_PATTERN, 'Issuer of the response (RFC 9207).'),
    user: formText(4_096, LINE_PATTERN, "From Apple, at a person's first sign-in: JSON with the name."),
    SAMLResponse: formText(393_216, '^[A-Za-z0-9+/=\\s]*$', 'From SAML: the response, in base64.'),
    RelayState: formText(80, LINE_PATTERN, 'From SAML: the key of the state.'),
  },
  {
    examples: {
      code: {
        summary: 'From Apple',
        value: {
          state: 'eyJraW5kIjoib2lkYyJ9.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
          code: 'c1f2b0e9d8a74c6f',
        },
      },
      saml: {
        summary: 'From a SAML identity provider',
        value: {
          SAMLResponse: 'PHNhbWxwOlJlc3BvbnNlLz4=',
          RelayState: 'mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
        },
      },
    },
  },
);
