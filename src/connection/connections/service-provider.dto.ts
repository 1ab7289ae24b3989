import { objectField, Output } from '../../platform/api/index.js';

const EXTERNAL = 'https://gatehouse.example/api/iam/auth/external';
const CONNECTION = '01K3V9D7Q8Z4X5N6M7P8R9S0T1';
const OPTIONAL = { required: false };
const Address = (example: string, description: string, rules = {}) =>
  Output.text({ max: 500, example, description, ...rules });

/** What an administrator of the provider enters there. */
class ServiceProviderResponse {
  @Address(`${EXTERNAL}/oidc/callback/${CONNECTION}`, 'oidc: redirect URI.', OPTIONAL)
  redirectUri?: string;
  @Address(`${EXTERNAL}/saml/callback/${CONNECTION}`, 'saml: assertion consumer service.', OPTIONAL)
  acsUrl?: string;
  @Address(`${EXTERNAL}/saml/metadata/${CONNECTION}`, 'saml: entity id.', OPTIONAL)
  entityId?: string;
  @Address(`${EXTERNAL}/saml/metadata/${CONNECTION}`, 'saml: address of the metadata.', OPTIONAL)
  metadataUrl?: string;
  @Address(
    `${EXTERNAL}/oidc/begin/${CONNECTION}`,
    'Bookmark that starts a sign-in; `initiate_login_uri` of OpenID Connect.',
  )
  initiateLoginUri: string;
  @Address(
    `${EXTERNAL}/saml/logout/${CONNECTION}`,
    'saml: SingleLogoutService. oidc: `backchannel_logout_uri`.',
  )
  sloUrl: string;
  @Address('https://app.gatehouse.example/sign-in', 'oidc: `post_logout_redirect_uri`.', OPTIONAL)
  postLogoutRedirectUri?: string;
  @Address(`${EXTERNAL}/oidc/jwks`, 'oidc with `private_key_jwt`: address of our keys.', OPTIONAL)
  jwksUri?: string;
}
export const SERVICE_PROVIDER = objectField(() => ServiceProviderResponse);
