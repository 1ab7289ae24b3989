import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { domainOf } from '../../kernel/index.js';
import { isLoopback, isPlainUrl } from './plain-url.js';
import { asksForPrimary, hostsOf } from './postgres-hosts.js';
import { Secret } from './secret.js';

/**
 * Maximum of durations: fits int32 in responses and the interval that PostgreSQL adds to a date.
 */
export const MAX_SECONDS = 2_147_483_647;
/** Accepts decimal digits only; JavaScript's `Number` would accept other notations. */
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max));
export const seconds = (fallback: number) => whole(1, MAX_SECONDS).default(fallback);
export const rate = (fallback: number) =>
  z
    .union([z.literal('off').transform(() => null), whole(1)], 'must be a whole number from 1, or off')
    .default(fallback);
/** URL to which paths are appended. */
export const baseUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#@]/.test(url), 'must have no query, fragment or user')
  .transform((url) => url.replace(/\/+$/, ''));
/**
 * URL of an external identity provider, kept verbatim: issuers are compared character by character.
 * Plain http only on a loopback host, for the lab.
 */
export const providerUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => url.startsWith('https:') || isLoopback(new URL(url).hostname),
    'must be https, unless it is on this machine',
  );
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** Address of a resolver, with an optional port: `192.0.2.53:5353`, `[2001:db8::1]:53`. */
export const resolver = z
  .string()
  .refine(
    (text) => isIP(text) !== 0 || isIP(/^(.+):\d{1,5}$/.exec(text)?.[1]?.replace(/^\[|\]$/g, '') ?? '') !== 0,
    'must be a comma-separated list of addresses, such as 192.0.2.53 or 192.0.2.53:5353',
  );

/** 32 bytes or more in base64. */
export const rootSecret = z
  .string()
  .regex(/^[A-Za-z\d+/_-]+={0,2}$/, 'must be base64 (openssl rand -base64 32)')
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length >= 32, 'must be at least 32 bytes in base64 (openssl rand -base64 32)')
  .transform((bytes) => new Secret(bytes));

/** Each is tried where a value does not name its key, so that they must be few. */
export const MAX_OTHER_SECRETS = 4;

const onePostgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
/** Address of a database; of several servers, as libpq has it, if it asks for the primary. */
export const postgresUrl = z
  .string()
  .refine(
    (url) => hostsOf(url).every((one) => onePostgresUrl.safeParse(one).success),
    'must be postgres://user:password@host:5432/name',
  )
  .refine(
    (url) => hostsOf(url).length === 1 || asksForPrimary(url),
    'has several hosts: add target_session_attrs=read-write, as the service needs the primary',
  )
  .transform((url) => new Secret(url));

export const cidr = z.string().refine((text) => {
  const [address = '', bits, extra] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    extra === undefined &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
}, 'must be a comma-separated list of addresses or CIDR blocks, such as 10.0.0.0/8');

/**
 * Origin as a browser sends it, `capacitor://localhost` included. A trailing slash is removed and
 * an asterisk refused: neither would ever match.
 */
export const origin = z
  .string()
  .regex(
    /^[a-z][a-z\d+.-]*:\/\/[\w.:[\]-]+\/?$/i,
    'must be a comma-separated list of origins, such as https://app.example.com',
  )
  .transform((text) => text.replace(/\/$/, '').toLowerCase());

/** Return address. An unusable or ambiguous one fails the start, not each sign-in. */
export const returnUri = z
  .string()
  .refine(
    (text) => text === '*' || isPlainUrl(text),
    'must be a comma-separated list of https addresses (http on this machine), spelled as a browser shows them, or *',
  );

export const text = z.string().min(1).optional();
export const secret = z
  .string()
  .min(1)
  .transform((value) => new Secret(value))
  .optional();
/** Content of Apple's `.p8` file. In a variable its line ends are often written as `\n`. */
export const es256Key = z
  .string()
  .transform((value) => value.replaceAll('\\n', '\n'))
  .refine(isEs256Key, 'must be the private key of a P-256 pair, in PEM')
  .transform((value) => new Secret(value))
  .optional();
/** Name of a provider on buttons and in mails: "Continue with …". */
export const displayName = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,60}$/u, 'must be a name of 1 to 60 characters')
  .optional();
/** Email domain for which a connection is authoritative, in ASCII. */
export const domain = z
  .string()
  .transform(domainOf)
  .pipe(z.string().regex(/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/, 'must be a comma-separated list of domains'));

/** Host name that passkeys belong to. */
export const domainName = z
  .string()
  .toLowerCase()
  .regex(/^(?:[a-z0-9-]+\.)*[a-z0-9-]+$/, 'must be a host name, such as app.example.com');
/** Origin of a page, or the hash of the key of an Android app. */
export const passkeyOrigin = z
  .string()
  .regex(
    /^(?:https?:\/\/[\w.:[\]-]+|android:apk-key-hash:[\w-]+)$/,
    'must be a comma-separated list of origins, such as https://app.example.com',
  );

function isEs256Key(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
