/** A record of a file, as its system exports it. */
export type ImportRecord = Readonly<Record<string, unknown>>;

/** A person as the import takes them (docs/moving-in.md); undefined fields are left out. */
export interface ImportPerson {
  readonly externalId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly displayName?: string | undefined;
  readonly passwordHash?: string | object | undefined;
  readonly totpSecret?: string | undefined;
  readonly identities?: readonly object[] | undefined;
  readonly memberships?: readonly object[];
}

/** Parameters of a Firebase project, without which its hashes are of no use. */
export interface FirebaseParameters {
  readonly signerKey: string;
  readonly saltSeparator: string;
  readonly rounds: string;
  readonly memory: string;
}

/** Systems whose exports are converted. */
export type ConvertedFormat = 'keycloak' | 'auth0' | 'auth0-users' | 'firebase' | 'cognito';

/** Recognizes the system by a record. */
export function formatOf(record: ImportRecord): ConvertedFormat | null {
  if (Array.isArray(record['Attributes'])) return 'cognito';
  if (typeof record['localId'] === 'string') return 'firebase';
  if (isRecord(record['_id']) || 'alt_id' in record) return 'auth0';
  if (typeof record['user_id'] === 'string' && Array.isArray(record['identities'])) return 'auth0-users';
  if (typeof record['id'] === 'string' && ('credentials' in record || 'federatedIdentities' in record))
    return 'keycloak';
  return null;
}

/** Converts a record. @returns null for one without an address */
export function convert(
  format: ConvertedFormat,
  record: ImportRecord,
  firebase: FirebaseParameters,
): ImportPerson | null {
  if (format === 'keycloak') return fromKeycloak(record);
  if (format === 'auth0') return fromAuth0(record);
  if (format === 'auth0-users') return fromAuth0Users(record);
  if (format === 'firebase') return fromFirebase(record, firebase);
  return fromCognito(record);
}

function fromKeycloak(record: ImportRecord): ImportPerson | null {
  const email = textOf(record['email']);
  if (email === undefined) return null;
  const credentials = recordsOf(record['credentials']);
  const password = credentials.find(({ type }) => type === 'password');
  return {
    externalId: `keycloak:${String(record['id'])}`,
    email,
    emailVerified: record['emailVerified'] === true,
    firstName: textOf(record['firstName']),
    lastName: textOf(record['lastName']),
    passwordHash: password && {
      credentialData: password['credentialData'],
      secretData: password['secretData'],
    },
    totpSecret: credentials.map(totpOfKeycloak).find((secret) => secret !== undefined),
    identities: recordsOf(record['federatedIdentities'])
      .filter(({ identityProvider }) => identityProvider === 'google')
      .map(({ userId }) => googleIdentity(userId)),
  };
}

/** Returns the secret of an authenticator app that makes codes as the import takes them. */
function totpOfKeycloak({ type, credentialData, secretData }: ImportRecord): string | undefined {
  if (type !== 'otp') return undefined;
  const how = JSON.parse(String(credentialData)) as ImportRecord;
  const { value } = JSON.parse(String(secretData)) as { value: string };
  const isUsual =
    how['subType'] === 'totp' &&
    how['algorithm'] === 'HmacSHA1' &&
    how['digits'] === 6 &&
    how['period'] === 30;
  if (!isUsual) return undefined;
  return how['secretEncoding'] === 'BASE32' ? value : toBase32(new TextEncoder().encode(value));
}

function fromAuth0(record: ImportRecord): ImportPerson | null {
  const identifier = recordsOf(record['identifiers']).find(({ type }) => type === 'email');
  const email = textOf(record['email']) ?? textOf(identifier?.['value']);
  if (email === undefined) return null;
  const id = record['alt_id'] ?? (isRecord(record['_id']) ? record['_id']['$oid'] : record['_id']);
  return {
    externalId: `auth0|${String(id)}`,
    email,
    emailVerified: (record['email_verified'] ?? identifier?.['verified']) === true,
    passwordHash: textOf(record['passwordHash']),
  };
}

function fromAuth0Users(record: ImportRecord): ImportPerson | null {
  const email = textOf(record['email']);
  if (email === undefined) return null;
  const [first] = recordsOf(record['identities']);
  const isGoogle = first?.['provider'] === 'google-oauth2';
  return {
    externalId: String(record['user_id']),
    email,
    emailVerified: record['email_verified'] === true,
    firstName: textOf(record['given_name']),
    lastName: textOf(record['family_name']),
    identities: isGoogle ? [googleIdentity(first['user_id'])] : [],
  };
}

function fromFirebase(record: ImportRecord, parameters: FirebaseParameters): ImportPerson | null {
  const email = textOf(record['email']);
  if (email === undefined) return null;
  const { rounds, memory, saltSeparator, signerKey } = parameters;
  const hash = textOf(record['passwordHash']);
  return {
    externalId: `firebase:${String(record['localId'])}`,
    email,
    emailVerified: record['emailVerified'] === true,
    displayName: textOf(record['displayName']),
    passwordHash:
      hash &&
      `firebase-scrypt$${rounds}$${memory}$${saltSeparator}$${signerKey}$${base64(record['salt'])}$${base64(hash)}`,
    identities: recordsOf(record['providerUserInfo'])
      .filter(({ providerId }) => providerId === 'google.com')
      .map(({ rawId }) => googleIdentity(rawId)),
  };
}

function fromCognito(record: ImportRecord): ImportPerson | null {
  const attributes = Object.fromEntries(
    recordsOf(record['Attributes']).map(({ Name, Value }) => [String(Name), Value]),
  );
  const email = textOf(attributes['email']);
  if (email === undefined) return null;
  return {
    externalId: `cognito:${String(attributes['sub'])}`,
    email,
    emailVerified: attributes['email_verified'] === 'true',
    firstName: textOf(attributes['given_name']),
    lastName: textOf(attributes['family_name']),
  };
}

const googleIdentity = (subject: unknown) => ({
  kind: 'google_oauth',
  issuer: 'https://accounts.google.com',
  subject: String(subject),
});

const base64 = (urlSafe: unknown): string => String(urlSafe).replaceAll('-', '+').replaceAll('_', '/');

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes in base32 (RFC 4648) without padding. */
function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits.map((digit) => BASE32[Number.parseInt(digit.padEnd(5, '0'), 2)]).join('');
}

export const isRecord = (value: unknown): value is ImportRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const recordsOf = (value: unknown): readonly ImportRecord[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** Returns a text that is not blank. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
