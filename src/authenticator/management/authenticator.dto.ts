import { type AuthenticationNeed, SENSITIVE } from '../../kernel/index.js';
import {
  type Field,
  Input,
  listField,
  objectField,
  objectListField,
  Output,
  textField,
  toResponse,
} from '../../platform/api/index.js';
import { isAssertion, isRegistration, type RegistrationCredential } from '../passkeys/credential.js';
import { FactorResetResponse } from '../reset/factor-reset.dto.js';
import type { TrustedDevice } from '../trusted-devices/trusted-device.repository.js';
import type { OwnAuthenticator } from './authenticators.js';

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

const AUTHENTICATOR_NAME = textField({ max: 100, example: 'Phone' });

/** RegistrationResponseJSON of WebAuthn Level 3. */
const REGISTRATION = credentialField(
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

const BASE64URL = /^[\w-]+$/;
const RECOVERY_CODES = listField({
  max: 10,
  itemMax: 11,
  pattern: /^[0-9A-Z]{5}-[0-9A-Z]{5}$/,
  description: 'Shown once. Each can be used once in place of a second factor.',
  example: ['7GX2M-9KQ4T'],
});

export class PlaceResponse {
  @Output.ulid()
  tenantId: string;
  @Output.text({
    nullable: true,
    max: 200,
    description: 'Null for an organization that was deleted.',
    example: 'Acme',
  })
  name: string | null;
}

export class AuthenticatorResponse {
  @Output.ulid()
  id: string;
  @Output.word(['totp', 'passkey'])
  kind: string;
  @Output(AUTHENTICATOR_NAME)
  name: string;
  @Output.time()
  createdAt: string;
  @Output.time({ nullable: true })
  lastUsedAt: string | null;
  @Output.boolean({ required: false, description: 'Of a passkey: whether it is synced to other devices.' })
  backedUp?: boolean;
  @Output.list({
    required: false,
    max: 10,
    itemMax: 30,
    pattern: /^[a-z-]+$/,
    description: 'Of a passkey: how browsers reach it.',
    example: ['internal'],
  })
  transports?: string[];
  @Output(objectField(() => PlaceResponse), {
    nullable: true,
    description:
      'Organization in which it counts only, as a session added it that only the connection of this organization has vouched for. Use it in a session with a proof of your own, such as your password: it counts everywhere from then on. Null for everywhere.',
  })
  countsOnlyIn: PlaceResponse | null;

  static of(authenticator: OwnAuthenticator): AuthenticatorResponse {
    const kind = 'credentialId' in authenticator ? 'passkey' : 'totp';
    return toResponse(AuthenticatorResponse, { ...authenticator, kind });
  }
}

export class AuthenticatorListResponse {
  @Output(objectListField(() => AuthenticatorResponse, 25))
  items: AuthenticatorResponse[];
  @Output.integer({
    min: 0,
    max: 1_000,
    example: 10,
    description: 'Those that count in this session: codes of an organization only where it vouched.',
  })
  recoveryCodesLeft: number;
  @Output.integer({ min: 0, max: 50, description: 'Number of trusted devices.', example: 1 })
  trustedDevices: number;
  @Output.list({
    max: 20,
    itemMax: 1_364,
    pattern: BASE64URL,
    description: 'Credential ids of the passkeys, for `signalAllAcceptedCredentials`.',
    example: ['mWq3hXo0b0y3f2mY7yq1b4Jx2Zk'],
  })
  acceptedCredentialIds: string[];
  @Output.text({
    max: 253,
    example: 'example.com',
    description: 'Relying party id of the passkeys, for the signals of the browser.',
  })
  rpId: string;
  @Output.text({
    nullable: true,
    max: 43,
    pattern: BASE64URL,
    description: 'User handle of the passkeys; null if the person never began to add one.',
    example: '6pQ0Vw1mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEoXyZ0aBc',
  })
  userHandle: string | null;
  @Output(objectField(() => FactorResetResponse), {
    nullable: true,
    description: 'Reset by an operator that waits: the person can cancel it.',
  })
  reset: FactorResetResponse | null;
  @Output.boolean({
    example: false,
    description:
      'Whether to ask the person to add a second factor: true for operators and owners of organizations who have none.',
  })
  shouldEnrol: boolean;
}

export class NewTotpResponse {
  @Output.ulid()
  id: string;
  @Output.text({
    max: 32,
    pattern: /^[A-Z2-7]+$/,
    description: 'Base32.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret: string;
  @Output.text({
    max: 1_000,
    format: 'uri',
    description: 'For a QR code.',
    example: 'otpauth://totp/Gatehouse:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Gatehouse',
  })
  uri: string;
}

export class AddedAuthenticatorResponse {
  @Output(objectField(() => AuthenticatorResponse))
  authenticator: AuthenticatorResponse;
  @Output(RECOVERY_CODES, {
    nullable: true,
    description: 'With the first authenticator of the person; null with a further one.',
  })
  recoveryCodes: string[] | null;
}

export class RecoveryCodesResponse {
  @Output(RECOVERY_CODES)
  recoveryCodes: string[];
}

export class CeremonyOptionsResponse {
  @Output.text({
    max: 100,
    pattern: /^[\w.-]+$/,
    description: 'Sent back with the credential.',
    example: '3q2-7wEjRWeJq83vASNFZw.1795600000.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  })
  ceremony: string;
  @Output({
    schema: {
      type: 'object',
      additionalProperties: true,
      description:
        'PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON (WebAuthn Level 3).',
      example: {},
    },
  })
  publicKey: object;
  @Output.integer({
    min: 1,
    max: 600,
    example: 300,
    description: 'Seconds until the ceremony has to be completed.',
  })
  expiresInSeconds: number;
}

export class TrustedDeviceResponse {
  @Output.ulid()
  id: string;
  @Output.text({ nullable: true, max: 512, example: 'Mozilla/5.0' })
  userAgent: string | null;
  @Output.time()
  createdAt: string;
  @Output.time()
  lastUsedAt: string;
  @Output.time()
  expiresAt: string;

  static from(device: TrustedDevice): TrustedDeviceResponse {
    return toResponse(TrustedDeviceResponse, device);
  }
}

export class ConfirmTotpDto {
  @Input(CODE)
  code: string;
  @Input(AUTHENTICATOR_NAME, { optional: true })
  name?: string;
}

export class AddPasskeyDto {
  @Input(CEREMONY)
  ceremony: string;
  @Input(REGISTRATION)
  credential: RegistrationCredential;
  @Input(AUTHENTICATOR_NAME, { optional: true })
  name?: string;
}

export class RenameAuthenticatorDto {
  @Input(AUTHENTICATOR_NAME)
  name: string;
}
