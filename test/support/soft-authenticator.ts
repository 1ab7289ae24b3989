import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

interface Flags {
  readonly userPresent?: boolean;
  readonly userVerified?: boolean;
  readonly backupEligible?: boolean;
  readonly backedUp?: boolean;
}

/** What a test changes of an honest answer. */
export interface Forgery extends Flags {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  readonly rpId?: string;
  readonly signCount?: number;
  readonly userHandle?: string | null;
  readonly algorithm?: number;
}

/** Options of a ceremony, as the service sends them. */
export interface Ceremony {
  readonly ceremony: string;
  readonly publicKey: Readonly<Record<string, unknown>>;
}

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/**
 * An authenticator in software with one passkey (ES256), written from WebAuthn Level 3 section 6.
 * It signs what a test tells it to, as a hostile one does.
 */
export class SoftAuthenticator {
  credentialId = randomBytes(32);
  userHandle = '';
  signCount = 0;
  private readonly origin: string;
  private readonly flags: Flags;
  private readonly publicKey: KeyObject;
  private readonly privateKey: KeyObject;

  constructor(origin: string, flags: Flags = {}) {
    this.origin = origin;
    this.flags = flags;
    ({ publicKey: this.publicKey, privateKey: this.privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
    }));
  }

  get id(): string {
    return base64url(this.credentialId);
  }

  /** Public key, as other programs read it. */
  get pem(): string {
    return this.publicKey.export({ format: 'pem', type: 'spki' }).toString();
  }

  /** Answers the options of a registration. */
  register({ ceremony, publicKey }: Ceremony, forgery: Forgery = {}) {
    const { user, rp, challenge } = publicKey as {
      user: { id: string };
      rp: { id: string };
      challenge: string;
    };
    this.userHandle = user.id;
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([this.credentialId.length >> 8, this.credentialId.length & 0xff]),
      this.credentialId,
      this.coseKey(forgery.algorithm ?? -7),
    ]);
    const authData = Buffer.concat([this.authenticatorData(rp.id, 0x40, forgery), credential]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      bytes(authData),
    ]);
    const clientDataJSON = this.clientData('webauthn.create', challenge, forgery);
    return {
      ceremony,
      credential: {
        id: this.id,
        rawId: this.id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientDataJSON),
          attestationObject: base64url(attestationObject),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      },
    };
  }

  /** Answers the options of a sign-in. */
  assert({ ceremony, publicKey }: Ceremony, forgery: Forgery = {}) {
    const { rpId, challenge } = publicKey as { rpId: string; challenge: string };
    this.signCount += 1;
    const authenticatorData = this.authenticatorData(rpId, 0, forgery);
    const clientDataJSON = this.clientData('webauthn.get', challenge, forgery);
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, sha256(clientDataJSON)]))
      .sign(this.privateKey);
    return {
      ceremony,
      credential: {
        id: this.id,
        rawId: this.id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientDataJSON),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(signature),
          userHandle: forgery.userHandle === undefined ? this.userHandle : forgery.userHandle,
        },
        clientExtensionResults: {},
      },
    };
  }

  private clientData(type: string, challenge: string, forgery: Forgery): Buffer {
    const { crossOrigin = false, topOrigin } = forgery;
    return Buffer.from(
      JSON.stringify({
        type: forgery.type ?? type,
        challenge: forgery.challenge ?? challenge,
        origin: forgery.origin ?? this.origin,
        crossOrigin,
        ...(topOrigin !== undefined && { topOrigin }),
      }),
    );
  }

  private authenticatorData(rpId: string, more: number, forgery: Forgery): Buffer {
    const {
      userPresent = true,
      userVerified = true,
      backupEligible,
      backedUp,
    } = { ...this.flags, ...forgery };
    const flags =
      (userPresent ? 1 : 0) | (userVerified ? 4 : 0) | (backupEligible ? 8 : 0) | (backedUp ? 16 : 0) | more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(forgery.signCount ?? this.signCount);
    return Buffer.concat([sha256(forgery.rpId ?? rpId), Buffer.from([flags]), count]);
  }

  /** COSE_Key of the public key (RFC 9052 section 7). */
  coseKey(algorithm = -7): Buffer {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03]),
      negative(algorithm),
      Buffer.from([0x20, 0x01, 0x21]),
      bytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      bytes(Buffer.from(y, 'base64url')),
    ]);
  }
}

/** CBOR of a short text (RFC 8949 section 3.1). */
const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** CBOR of a byte string of up to 65,535 bytes. */
export function bytes(value: Buffer): Buffer {
  const { length } = value;
  const head =
    length < 24 ? [0x40 + length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}

/** CBOR of a negative number down to -257. */
function negative(value: number): Buffer {
  const count = -1 - value;
  if (count < 24) return Buffer.from([0x20 + count]);
  return Buffer.from(count < 256 ? [0x38, count] : [0x39, count >> 8, count & 0xff]);
}
