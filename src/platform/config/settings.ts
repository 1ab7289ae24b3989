import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { certificates } from './certificates.js';
import { redisAddress } from './redis-address.js';
import { Secret } from './secret.js';
import { findConflicts } from './setting-conflicts.js';
import {
  whole,
  seconds,
  rate,
  baseUrl,
  providerUrl,
  list,
  resolver,
  rootSecret,
  MAX_OTHER_SECRETS,
  MAX_SECONDS,
  postgresUrl,
  cidr,
  origin,
  returnUri,
  text,
  secret,
  es256Key,
  displayName,
  domain,
  domainName,
  passkeyOrigin,
} from './setting-types.js';

/** Parts that a deployment can leave out. */
const EXTRAS = ['authzen', 'signals'] as const;

/** Origins of pages in local development: any port of this machine. */
const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** A hundred years. */
const MAX_DAYS = 36_500;

const schema = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  WORKERS: z
    .union(
      [z.literal('auto').transform(() => availableParallelism()), whole(1, 64)],
      'must be auto, or a whole number from 1 to 64',
    )
    .default(1),
  PUBLIC_URL: baseUrl.optional(),
  APP_URL: baseUrl.optional(),
  TOKEN_AUDIENCE: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: whole(2, 200).default(10),
  REDIS_URL: redisAddress.optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .transform((url) => new Secret(url))
    .optional(),
  MAIL: z.enum(['smtp', 'folder']).optional(),
  MAIL_FROM: z.email().default('no-reply@gatehouse.localhost'),
  /** Folder with texts of mails that replace the service's. */
  MAIL_TEMPLATES: z.string().min(1).optional(),
  ROOT_SECRET: rootSecret.optional(),
  /** Other root secrets that are read: earlier ones, and the next one during its introduction. */
  ROOT_SECRET_PREVIOUS: list.pipe(z.array(rootSecret).max(MAX_OTHER_SECRETS)).default([]),
  ALLOWED_ORIGINS: list.pipe(z.array(origin)).optional(),
  /** Hosts that webhooks may reach at private addresses, by http and on any port. */
  WEBHOOK_TRUSTED_HOSTS: list.default([]),
  /** Proxy through which webhooks are sent, by CONNECT. */
  WEBHOOK_PROXY: z
    .url({ protocol: /^https?$/ })
    .transform((url) => new Secret(url))
    .optional(),
  /** Resolvers that are asked for the records of domains. Default: the system's. */
  DNS_SERVERS: list.pipe(z.array(resolver)).default([]),
  /** Hosts that connections may reach at private addresses, and by http. */
  CONNECTION_TRUSTED_HOSTS: list.default([]),
  TRUSTED_PROXIES: list.pipe(z.array(cidr)).default([]),
  /** Days for which an organization's audit events are kept, unless it says; null for no end. */
  AUDIT_RETENTION_DAYS: whole(1, MAX_DAYS)
    .optional()
    .transform((days) => days ?? null),
  /** Days for which audit events of no organization are kept; null: as for organizations. */
  AUDIT_PLATFORM_RETENTION_DAYS: whole(1, MAX_DAYS)
    .optional()
    .transform((days) => days ?? null),
  /** The fewest that an organization may say. */
  AUDIT_RETENTION_MIN_DAYS: whole(1, MAX_DAYS).default(365),
  BCRYPT_COST: whole(4, 15).default(12),
  PASSWORD_BLOCKLIST: z.enum(['warn', 'refuse', 'off']).default('warn'),
  PASSWORD_BLOCKLIST_FILE: z.string().min(1).optional(),
  ACCESS_TOKEN_TTL: seconds(600),
  REFRESH_IDLE_TTL: seconds(2_592_000),
  SESSION_TTL: seconds(7_776_000),
  REFRESH_RETRY_WINDOW: whole(0, MAX_SECONDS).default(30),
  TENANT_DELETION_DELAY: whole(0, MAX_SECONDS).default(604_800),
  PASSKEY_RP_ID: domainName.optional(),
  PASSKEY_ORIGINS: list.pipe(z.array(passkeyOrigin)).optional(),
  MFA_ISSUER: z.string().min(1).max(100).default('Gatehouse'),
  DEVICE_TTL: seconds(2_592_000),
  EMAIL_SIGN_IN: z.enum(['on', 'off']).default('off'),
  OPERATOR_REQUIRES_SECOND_FACTOR: z.enum(['auto', 'on', 'off']).default('auto'),
  OPERATOR_FOUR_EYES: z.enum(['on', 'off']).default('off'),
  FACTOR_RESET_DELAY: whole(0, MAX_SECONDS).default(86_400),
  RATE_READ: rate(1000),
  RATE_WRITE: rate(100),
  RATE_LOGIN: rate(30),
  RATE_REFRESH: rate(120),
  RATE_RESET: rate(5),
  RATE_HASH: rate(30),
  RATE_OPTIONS: rate(60),
  RATE_SETUP: rate(60),
  RATE_SCIM: rate(1800),
  RATE_STATION: rate(600),
  RATE_DOCUMENTS: rate(30),
  LIMIT_MAILS: rate(200),
  LIMIT_INVITATIONS: rate(1_000),
  LIMIT_ORGANIZATIONS: rate(20),
  LIMIT_THINGS: rate(1_000_000),
  LIMIT_DIRECTORY_RECORDS: rate(100_000),
  LIMIT_DIRECTORY_BYTES: rate(1_073_741_824),
  /** Not more than a body: operations of PATCH could else add to a record without end. */
  LIMIT_RECORD_BYTES: whole(1_024, 1_048_576).default(65_536),
  RETURN_URIS: list.pipe(z.array(returnUri)).optional(),
  PORTAL: z.enum(['on', 'off']).default('on'),
  EXTRAS: list
    .transform((names) => (names.join() === 'off' ? [] : names))
    .pipe(z.array(z.enum(EXTRAS)))
    .default([...EXTRAS]),
  EXTERNAL_BROWSER_BINDING: z.enum(['off', 'cookie']).optional(),
  EXTERNAL_GOOGLE_CLIENT_ID: text,
  EXTERNAL_GOOGLE_CLIENT_SECRET: secret,
  EXTERNAL_GOOGLE_AUTHORIZATION_URL: providerUrl.optional(),
  EXTERNAL_GOOGLE_TOKEN_URL: providerUrl.optional(),
  EXTERNAL_GOOGLE_USERINFO_URL: providerUrl.optional(),
  EXTERNAL_FACEBOOK_CLIENT_ID: text,
  EXTERNAL_FACEBOOK_CLIENT_SECRET: secret,
  EXTERNAL_FACEBOOK_AUTHORIZATION_URL: providerUrl.optional(),
  EXTERNAL_FACEBOOK_TOKEN_URL: providerUrl.optional(),
  EXTERNAL_FACEBOOK_USERINFO_URL: providerUrl.optional(),
  EXTERNAL_APPLE_CLIENT_ID: text,
  EXTERNAL_APPLE_TEAM_ID: text,
  EXTERNAL_APPLE_KEY_ID: text,
  EXTERNAL_APPLE_PRIVATE_KEY: es256Key,
  EXTERNAL_APPLE_AUTHORIZATION_URL: providerUrl.optional(),
  EXTERNAL_APPLE_TOKEN_URL: providerUrl.optional(),
  EXTERNAL_APPLE_ISSUER: providerUrl.optional(),
  EXTERNAL_APPLE_JWKS_URL: providerUrl.optional(),
  EXTERNAL_OIDC_ISSUER: providerUrl.optional(),
  EXTERNAL_OIDC_CLIENT_ID: text,
  EXTERNAL_OIDC_CLIENT_SECRET: secret,
  EXTERNAL_OIDC_NAME: displayName,
  EXTERNAL_OIDC_DOMAINS: list.pipe(z.array(domain)).default([]),
  EXTERNAL_SAML_ENTRY_POINT: providerUrl.optional(),
  EXTERNAL_SAML_IDP_ISSUER: text,
  EXTERNAL_SAML_IDP_CERT: certificates.optional(),
  EXTERNAL_SAML_SP_ENTITY_ID: text,
  EXTERNAL_SAML_NAME: displayName,
  EXTERNAL_SAML_MAX_AUTH_AGE: seconds(86_400),
  EXTERNAL_SAML_DOMAINS: list.pipe(z.array(domain)).default([]),
  DRAIN_SECONDS: whole(0, 300).optional(),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .transform((token) => new Secret(token))
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  NODE_ENV: z.string().optional(),
});

/** Names of all settings, for tests that compare the documentation with them. */
export const SETTING_NAMES = Object.keys(schema.shape);

/** Settings of the service, read once at start. Secrets print as redacted. */
export type Settings = Omit<
  z.output<typeof schema>,
  | 'PUBLIC_URL'
  | 'APP_URL'
  | 'TOKEN_AUDIENCE'
  | 'ALLOWED_ORIGINS'
  | 'RETURN_URIS'
  | 'EXTERNAL_BROWSER_BINDING'
  | 'DRAIN_SECONDS'
  | 'MAIL'
  | 'PASSKEY_RP_ID'
  | 'PASSKEY_ORIGINS'
> & {
  /** Relying party id of passkeys: the host of `APP_URL`, unless set. */
  readonly PASSKEY_RP_ID: string;
  readonly PASSKEY_ORIGINS: readonly string[];
  readonly PUBLIC_URL: string;
  readonly APP_URL: string;
  readonly TOKEN_AUDIENCE: string;
  readonly ALLOWED_ORIGINS: readonly (string | RegExp)[];
  /** Addresses to which external sign-in may return; null for any. */
  readonly RETURN_URIS: readonly (string | RegExp)[] | null;
  readonly EXTERNAL_BROWSER_BINDING: 'off' | 'cookie';
  readonly DRAIN_SECONDS: number;
  readonly MAIL: 'smtp' | 'folder';
};

/** Error that lists all problems of the settings. */
export class InvalidSettings extends Error {}

/** Login shells set `MAIL` to the path of the user's mailbox, which says nothing here. */
const MAILBOX = /^\//;

/**
 * Reads the settings from environment variables (API-17); empty ones count as missing.
 * @throws {InvalidSettings} listing every invalid or missing variable
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value && !(name === 'MAIL' && MAILBOX.test(value))),
  );
  const parsed = schema.safeParse(given);
  const conflicts = findConflicts(given);
  if (!parsed.success || conflicts.length > 0) {
    const issues = (parsed.error?.issues ?? []).map(
      ({ path, message }) => [path[0]?.toString() ?? 'environment', message] as const,
    );
    const lines = [...issues, ...conflicts].map(([name, problem]) => `  ${name}: ${problem}`);
    throw new InvalidSettings(`The settings are not valid:\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  const appUrl = env.APP_URL ?? publicUrl;
  // The portal's page is always allowed.
  const portal = env.PORTAL === 'on' ? [`${publicUrl}/signed-in`] : [];
  const origins = [new URL(appUrl).origin, new URL(publicUrl).origin, ...(env.ALLOWED_ORIGINS ?? [])];
  return {
    ...env,
    PASSKEY_RP_ID: env.PASSKEY_RP_ID ?? new URL(appUrl).hostname,
    PASSKEY_ORIGINS: [...new Set([...origins, ...(env.PASSKEY_ORIGINS ?? [])])],
    DATA_DIR: resolve(env.DATA_DIR),
    PUBLIC_URL: publicUrl,
    APP_URL: appUrl,
    TOKEN_AUDIENCE: env.TOKEN_AUDIENCE ?? publicUrl,
    MAIL: env.SMTP_URL ? 'smtp' : 'folder',
    DRAIN_SECONDS: env.DRAIN_SECONDS ?? (env.DATABASE_URL ? 5 : 0),
    RETURN_URIS: env.RETURN_URIS?.includes('*')
      ? null
      : [...(env.RETURN_URIS ?? [appUrl, ...(env.DATABASE_URL ? [] : [LOOPBACK_ORIGIN])]), ...portal],
    EXTERNAL_BROWSER_BINDING: env.EXTERNAL_BROWSER_BINDING ?? (env.PORTAL === 'on' ? 'cookie' : 'off'),
    ALLOWED_ORIGINS: env.ALLOWED_ORIGINS ?? [
      new URL(appUrl).origin,
      ...(env.DATABASE_URL ? [] : [LOOPBACK_ORIGIN]),
    ],
  };
}
