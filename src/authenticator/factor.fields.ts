import { type AuthenticationNeed, SENSITIVE } from '../kernel/index.js';
import { type Field, textField } from '../platform/api/index.js';
import { isAssertion, isRegistration } from './passkeys/credential.js';

/**
 * For changes of second factors. People who have nothing of their own add the first one in a
 * session for which only a connection has vouched: it counts in the connection's organization (ADR
 * 49).
 */
export const ENROLLING = {
  ...SENSITIVE,
  ownProof: 'if-available',
} as const satisfies AuthenticationNeed & { readonly ownProof: 'if-available' };

/** Code of an authenticator app or a mail, or a recovery code: `requireCode` reads it. */
export const CODE = textField({
  max: 40,
  example: '492039',
  description: 'As the person typed it, with any spaces, hyphens and digits of other scripts.',
});

export const CEREMONY = textField({
  max: 100,
  pattern: /^[\w.-]+$/,
  shape: 'the ceremony of the options',
  example: '3q2-7wEjRWeJq83vASNFZw.1795600000.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
});

export const CHALLENGE = textField({
  max: 100,
  pattern: /^[\w-]+$/,
  shape: 'the challenge of a sign-in',
  example: '6pQ0Vw1mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEoXyZ0aBc',
});

export const DEVICE_TOKEN = textField({
  max: 100,
  example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2.6pQ0Vw1mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEoXyZ0aBc',
});

export const AUTHENTICATOR_NAME = textField({ max: 100, example: 'Phone' });

/** RegistrationResponseJSON of WebAuthn Level 3. */
export const REGISTRATION = credentialField(
  'RegistrationResponseJSON (WebAuthn Level 3), as `PublicKeyCredential.toJSON()` returns it.',
  isRegistration,
);

/** AuthenticationResponseJSON of WebAuthn Level 3. */
export const ASSERTION = credentialField(
  'AuthenticationResponseJSON (WebAuthn Level 3), as `PublicKeyCredential.toJSON()` returns it.',
  isAssertion,
);

/** JSON of the browser, whose members are not documented here: the standard may add some. */
function credentialField(description: string, test: (value: unknown) => boolean): Field {
  return {
    schema: { type: 'object', additionalProperties: true, description, example: {} },
    checks: [{ name: 'credential', message: 'must be the JSON of a PublicKeyCredential', test }],
  };
}
