import { objectField, Output } from '../../platform/api/index.js';

/** What an administrator of the provider enters there. */
class ServiceProviderResponse {
  @Output.text({
    required: false,
    max: 500,
    example: 'https://gatehouse.example/api/iam/auth/external/oidc/callback/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description: 'oidc: redirect URI.',
  })
  redirectUri?: string;
  @Output.text({
    required: false,
    max: 500,
    example: 'https://gatehouse.example/api/iam/auth/external/saml/callback/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description: 'saml: assertion consumer service.',
  })
  acsUrl?: string;
  @Output.text({
    required: false,
    max: 500,
    example: 'https://gatehouse.example/api/iam/auth/external/saml/metadata/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description: 'saml: entity id.',
  })
  entityId?: string;
  @Output.text({
    required: false,
    max: 500,
    example: 'https://gatehouse.example/api/iam/auth/external/saml/metadata/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description: 'saml: address of the metadata.',
  })
  metadataUrl?: string;
  @Output.text({
    max: 500,
    example: 'https://gatehouse.example/api/iam/auth/external/oidc/begin/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description: 'Bookmark that starts a sign-in; `initiate_login_uri` of OpenID Connect.',
  })
  initiateLoginUri: string;
  @Output.text({
    max: 500,
    example: 'https://gatehouse.example/api/iam/auth/external/saml/logout/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description: 'saml: SingleLogoutService. oidc: `backchannel_logout_uri`.',
  })
  sloUrl: string;
  @Output.text({
    required: false,
    max: 500,
    example: 'https://app.gatehouse.example/sign-in',
    description: 'oidc: `post_logout_redirect_uri`.',
  })
  postLogoutRedirectUri?: string;
  @Output.text({
    required: false,
    max: 500,
    example: 'https://gatehouse.example/api/iam/auth/external/oidc/jwks',
    description: 'oidc with `private_key_jwt`: address of our keys.',
  })
  jwksUri?: string;
}
export const SERVICE_PROVIDER = objectField(() => ServiceProviderResponse);
