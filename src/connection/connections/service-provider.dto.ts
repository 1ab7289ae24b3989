import { objectField, Output, textField } from '../../platform/api/index.js';

/** What an administrator of the provider enters there. */
class ServiceProviderResponse {
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/oidc/callback/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'oidc: redirect URI.',
    }),
    { required: false },
  )
  redirectUri?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/saml/callback/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'saml: assertion consumer service.',
    }),
    { required: false },
  )
  acsUrl?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/saml/metadata/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'saml: entity id.',
    }),
    { required: false },
  )
  entityId?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/saml/metadata/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'saml: address of the metadata.',
    }),
    { required: false },
  )
  metadataUrl?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/oidc/begin/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'Bookmark that starts a sign-in; `initiate_login_uri` of OpenID Connect.',
    }),
  )
  initiateLoginUri: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/saml/logout/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description: 'saml: SingleLogoutService. oidc: `backchannel_logout_uri`.',
    }),
  )
  sloUrl: string;
  @Output(
    textField({
      max: 500,
      example: 'https://app.gatehouse.example/sign-in',
      description: 'oidc: `post_logout_redirect_uri`.',
    }),
    { required: false },
  )
  postLogoutRedirectUri?: string;
  @Output(
    textField({
      max: 500,
      example: 'https://gatehouse.example/api/iam/auth/external/oidc/jwks',
      description: 'oidc with `private_key_jwt`: address of our keys.',
    }),
    { required: false },
  )
  jwksUri?: string;
}
export const SERVICE_PROVIDER = objectField(() => ServiceProviderResponse);
