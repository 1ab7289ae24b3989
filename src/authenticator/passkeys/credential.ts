import { isObject } from '../../kernel/index.js';
/** Response of an authenticator to a registration (RegistrationResponseJSON, WebAuthn Level 3). */
export interface RegistrationCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | null;
  };
}

/** Response of an authenticator to a sign-in (AuthenticationResponseJSON, WebAuthn Level 3). */
export interface AssertionCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string | null;
  };
}

/** Maximum characters of each value: an attestation with certificates has about 8,000. */
const MAX_LENGTH = 16_384;
/** Maximum characters of a credential id: 1,023 bytes (WebAuthn section 4). */
const MAX_ID_LENGTH = 1_364;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
const MAX_TRANSPORTS = 10;
const TRANSPORT = /^[a-z-]{1,30}$/;

/** Checks the shape of a registration; its content is verified by the library. */
export function isRegistration(value: unknown): value is RegistrationCredential {
  if (!isCredential(value)) return false;
  const { clientDataJSON, attestationObject, transports } = value.response;
  return (
    isBase64url(clientDataJSON) &&
    isBase64url(attestationObject) &&
    (transports === undefined || transports === null || isListOfTexts(transports))
  );
}

/**
 * Returns the transports to be stored. Authenticators and software may report values that no
 * standard names yet, which browsers ignore (WebAuthn section 5.8.4); what cannot be the name of a
 * transport is left out.
 */
export function transportsOf(reported: readonly string[] | null = []): string[] {
  const named = (reported ?? []).filter((transport) => TRANSPORT.test(transport));
  return [...new Set(named)].slice(0, MAX_TRANSPORTS);
}

/** Checks the shape of an assertion; its content is verified by the library. */
export function isAssertion(value: unknown): value is AssertionCredential {
  if (!isCredential(value)) return false;
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = value.response;
  return (
    [clientDataJSON, authenticatorData, signature].every((part) => isBase64url(part)) &&
    (userHandle === null || userHandle === '' || isBase64url(userHandle))
  );
}

function isCredential(value: unknown): value is { readonly response: Readonly<Record<string, unknown>> } {
  if (!isObject(value)) return false;
  const { id, rawId, type, response } = value;
  return (
    isBase64url(id) &&
    id.length <= MAX_ID_LENGTH &&
    rawId === id &&
    type === 'public-key' &&
    isObject(response)
  );
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isBase64url(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && BASE64URL.test(value);
}
