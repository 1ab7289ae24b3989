import { declareMessages } from '../../platform/messages/index.js';

/** Results of the checks of a test sign-in, for the administrator of the provider. */
const messages = declareMessages({
  'connection-test.passed': 'Correct.',
  'connection-test.skipped': 'Not checked, because an earlier check failed.',
  'connection-test.provider.failed':
    'The provider did not answer, or not within five seconds. Check the issuer, and that its address is reachable.',
  'connection-test.code.failed':
    'The provider refused to redeem the code. Check the client id and the client secret.',
  'connection-test.code.denied': 'The provider denied the sign-in. Check that the app is assigned to you.',
  'connection-test.code.invalid':
    'The response of the provider is not valid by OpenID Connect. Check the type of the app at the provider.',
  'connection-test.nonce.failed': 'The ID token is for another sign-in. Start the test again.',
  'connection-test.response.failed': 'The response is not a SAML response that can be read safely.',
  'connection-test.response.encrypted':
    'The assertion is encrypted. Switch encryption on at the connection, or off at the provider.',
  'connection-test.response.not-encrypted':
    'The assertion is not encrypted. Switch encryption on at the provider, or off at the connection.',
  'connection-test.response.decryption':
    'The assertion cannot be decrypted. Import the metadata of this connection at the provider again, and choose AES-GCM with RSA-OAEP.',
  'connection-test.response.status':
    'The provider denied the sign-in. Check that the app is assigned to you.',
  'connection-test.issuer.failed':
    'The issuer is not the one of the settings. Compare them exactly, trailing slashes included.',
  'connection-test.recipient.failed':
    'The response is for another address. Enter the ACS URL of this connection at the provider.',
  'connection-test.request.failed':
    'The response answers no request of this test. Start the sign-in with the test, not at the provider.',
  'connection-test.times.authentication':
    'The provider reports an old sign-in (AuthnInstant), though a new one was asked for. Raise or remove the limit authnInstantMaxAge, as Google Workspace needs it.',
  'connection-test.times.failed':
    'The times of the response do not fit: it is expired, not valid yet, or the clock of the provider is wrong.',
  'connection-test.times.confirmation':
    'The confirmation of the subject is not by bearer, or has expired. Check the clock of the provider.',
  'connection-test.audience.failed':
    'The response is for another app. Enter the entity id or client id of this connection at the provider.',
  'connection-test.audience.others':
    'The ID token is also for other apps. If you trust them with it, list them in trustedAudiences.',
  'connection-test.signature.failed':
    'The signature does not verify. Compare the signing certificate or keys with those of the provider.',
  'connection-test.signature.missing':
    'The assertion is not signed. Switch its signature on at the provider.',
  'connection-test.signature.algorithm':
    'The signature algorithm is not allowed. Choose RSA with SHA-256 or stronger at the provider.',
  'connection-test.subject.failed':
    'The NameID is missing, transient or of another party. Choose a persistent NameID or the address.',
  'connection-test.subject.other': 'The userinfo is of another person than the ID token. Check the provider.',
  'connection-test.claim.missing': 'The ID token has no {claim}. Add it to what the provider sends.',
  'connection-test.domain.none':
    'The connection has no verified domain. Verify one, and assign it to the connection.',
  'connection-test.domain.missing':
    'The provider sent no address of these domains: {domains}. Add the address to what it sends.',
  'connection-test.domain.failed': 'The address is of none of these domains: {domains}.',
  'connection-test.attributes.passed': 'Received: {count}.',
  'connection-test.roles.passed': 'Roles that follow: {roles}.',
  'connection-test.roles.incomplete':
    'The provider did not send all groups, or too many to compare. Such a sign-in changes no roles. Let the provider send only the groups that are assigned to the app.',
  'connection-test.roles.none': 'No role follows: people are not added at sign-in, or no rule matches.',
});

declare module '../../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
