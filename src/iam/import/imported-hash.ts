import { z } from 'zod';

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const SECRET = z.object({ value: z.string().regex(BASE64), salt: z.string().regex(BASE64) });
const CREDENTIAL = z.object({
  algorithm: z.string(),
  hashIterations: z.number().int(),
  additionalParameters: z.record(z.string(), z.array(z.string())).optional(),
});

/** A credential as Keycloak exports it: two texts of JSON. */
const KEYCLOAK = z
  .object({ credentialData: z.string().max(2_048), secretData: z.string().max(2_048) })
  // What cannot be read is of no known format.
  .transform((exported) => hashOf(exported) ?? '');

/** Name that a directory writes before a hash that tells its own format (RFC 2307 section 5.3). */
const NAME_IN_LDAP = /^\{(?:CRYPT|BCRYPT|ARGON2)\}/i;

/** A password hash: text in one of the known formats, or a credential of Keycloak. */
export const FOREIGN_HASH = z.union([
  z.string().transform((text) => text.replace(NAME_IN_LDAP, '')),
  KEYCLOAK,
]);

/** Writes the credential as passlib or PHC does. @returns null if it cannot be read */
function hashOf(exported: { readonly credentialData: string; readonly secretData: string }): string | null {
  const [credential, secret] = [read(CREDENTIAL, exported.credentialData), read(SECRET, exported.secretData)];
  if (!credential || !secret) return null;
  const { algorithm, hashIterations, additionalParameters = {} } = credential;
  const [salt, value] = [plain(secret.salt), plain(secret.value)];
  const digest = /^pbkdf2(|-sha256|-sha512)$/.exec(algorithm)?.[1];
  if (digest !== undefined)
    return `$pbkdf2${digest}$${hashIterations}$${salt.replaceAll('+', '.')}$${value.replaceAll('+', '.')}`;
  if (algorithm !== 'argon2') return null;
  const parameter = (name: string): string => additionalParameters[name]?.[0] ?? '';
  const version = parameter('version') === '1.3' ? '19' : '16';
  const cost = `m=${parameter('memory')},t=${hashIterations},p=${parameter('parallelism')}`;
  return `$argon2${parameter('type')}$v=${version}$${cost}$${salt}$${value}`;
}

function read<T>(schema: z.ZodType<T>, json: string): T | null {
  try {
    return schema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

const plain = (base64: string): string => base64.replaceAll('=', '');
