import { hostsOf } from './postgres-hosts.js';

/** Settings that are required together: each external identity provider needs all of its group. */
const GROUPS = [
  ['EXTERNAL_GOOGLE_CLIENT_ID', 'EXTERNAL_GOOGLE_CLIENT_SECRET'],
  ['EXTERNAL_FACEBOOK_CLIENT_ID', 'EXTERNAL_FACEBOOK_CLIENT_SECRET'],
  [
    'EXTERNAL_APPLE_CLIENT_ID',
    'EXTERNAL_APPLE_TEAM_ID',
    'EXTERNAL_APPLE_KEY_ID',
    'EXTERNAL_APPLE_PRIVATE_KEY',
  ],
  ['EXTERNAL_OIDC_ISSUER', 'EXTERNAL_OIDC_CLIENT_ID', 'EXTERNAL_OIDC_CLIENT_SECRET'],
  ['EXTERNAL_SAML_ENTRY_POINT', 'EXTERNAL_SAML_IDP_ISSUER', 'EXTERNAL_SAML_IDP_CERT'],
] as const;

type Given = Readonly<Record<string, string | undefined>>;

/**
 * Finds conflicts between settings. Reads the raw values, so that conflicts and invalid values are
 * reported together.
 * @returns name of the setting and problem
 */
export function findConflicts(given: Given): (readonly [name: string, problem: string])[] {
  const {
    DATABASE_URL,
    DATABASE_DIRECT_URL,
    ROOT_SECRET,
    PUBLIC_URL = '',
    PORTAL,
    BCRYPT_COST,
    PASSWORD_BLOCKLIST,
    PASSWORD_BLOCKLIST_FILE,
    NODE_ENV,
    SMTP_URL,
    MAIL,
  } = given;
  const path = URL.canParse(PUBLIC_URL) ? new URL(PUBLIC_URL).pathname : '';
  const conflicts: (readonly [string, string, boolean])[] = [
    [
      'ROOT_SECRET',
      'is required with DATABASE_URL (openssl rand -base64 32)',
      DATABASE_URL !== undefined && ROOT_SECRET === undefined,
    ],
    [
      'DATABASE_DIRECT_URL',
      'requires DATABASE_URL',
      DATABASE_DIRECT_URL !== undefined && DATABASE_URL === undefined,
    ],
    [
      'DATABASE_URL',
      'must have one host, of the pooler, where DATABASE_DIRECT_URL has those of the servers',
      DATABASE_DIRECT_URL !== undefined && hostsOf(DATABASE_URL ?? '').length > 1,
    ],
    [
      'PUBLIC_URL',
      'must have no path, as the portal is served at /: leave it out, or set PORTAL=off',
      PORTAL !== 'off' && /[^/]/.test(path),
    ],
    [
      'SMTP_URL',
      'is required with NODE_ENV=production. Or set MAIL=folder: mails are not sent but written to DATA_DIR/mail',
      NODE_ENV === 'production' && SMTP_URL === undefined && MAIL === undefined,
    ],
    ['SMTP_URL', 'is required with MAIL=smtp', MAIL === 'smtp' && SMTP_URL === undefined],
    [
      'MAIL',
      'is folder, so SMTP_URL has no effect: leave one of them out',
      MAIL === 'folder' && SMTP_URL !== undefined,
    ],
    [
      'PASSWORD_BLOCKLIST_FILE',
      'has no effect with PASSWORD_BLOCKLIST=off: leave one of them out',
      PASSWORD_BLOCKLIST === 'off' && PASSWORD_BLOCKLIST_FILE !== undefined,
    ],
    ['BCRYPT_COST', 'must be 10 to 15', Number(BCRYPT_COST ?? 10) < 10 && NODE_ENV !== 'test'],
    ...GROUPS.flatMap((group) => {
      const present = group.filter((name) => given[name] !== undefined);
      const missing = present.length === 0 ? [] : group.filter((name) => given[name] === undefined);
      return missing.map((name) => [name, `is required with ${present.join(' and ')}`, true] as const);
    }),
  ];
  return conflicts.filter(([, , applies]) => applies).map(([name, problem]) => [name, problem]);
}
