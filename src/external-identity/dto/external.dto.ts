import { DEVICE_TOKEN } from '../../authenticator/index.js';
import {
  codeChallengeField,
  codeVerifierField,
  documentedForm,
  formText,
  Input,
  integerField,
  textField,
  ulidField,
} from '../../platform/api/index.js';
import { LINE_PATTERN } from '../../kernel/index.js';

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

  @Input(
    integerField({
      min: 60,
      max: 86_400,
      example: 600,
      description:
        'Seconds within which the person must have authenticated at the provider. For `oidc` and `saml`: 400 for other kinds.',
    }),
    { optional: true },
  )
  maxAge?: number;

  @Input(
    ulidField({
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'Connection of an organization, of this kind. Default: the provider of the deployment.',
    }),
    { optional: true },
  )
  connectionId?: string;

  @Input(
    textField({
      max: 254,
      example: 'ada@example.com',
      description: 'Address that the person has entered; passed on to the provider as `login_hint`.',
    }),
    { optional: true },
  )
  email?: string;
}

export class LinkDto {
  @Input(RETURN_URI, { optional: true, nullable: true })
  returnUri?: string | null;
}

export class RedeemLinkDto {
  @Input(
    textField({
      max: 512,
      example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E',
      description: '`link_code` from the fragment.',
    }),
  )
  code: string;

  @Input(codeVerifierField(), {
    optional: true,
    description:
      'For a `link_code` beside `account_exists`: verifier of the flow, after a sign-in to the account.',
  })
  codeVerifier?: string;
}

export class RedeemDto {
  @Input(textField({ max: 512, example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E' }))
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
