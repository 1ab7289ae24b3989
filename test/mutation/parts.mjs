/**
 * Parts of the sources, and the specs that have to notice a broken line there. A part of its own
 * goes before the folder that holds it.
 */
export const PARTS = [
  {
    name: 'session/grants',
    specs: [
      'unit/session-services',
      'integration/session-repositories',
      'e2e/**/{tokens,tenant-tokens,satellite-refresh,expiry}',
    ],
  },
  {
    name: 'session/tokens',
    specs: [
      'unit/{access-tokens,session-services}',
      'e2e/**/{tokens,tenant-tokens,token-spellings,satellite-refresh,keys}',
    ],
  },
  { name: 'session/signing-keys', specs: ['integration/signing-keys'] },
  { name: 'session/step-up', specs: ['e2e/**/{step-up,expiry,totp}'] },
  {
    name: 'session/second-factor',
    specs: ['e2e/**/second-factor-{ways,challenges,codes}', 'e2e/**/{passkeys,trusted-devices,expiry}'],
  },
  {
    name: 'session/evidence',
    specs: ['unit/passkey-values', 'e2e/**/{second-factor-ways,passkeys,trusted-devices}'],
  },
  {
    name: 'session/sign-in-notices',
    specs: ['unit/sign-in-notices', 'integration/known-networks', 'e2e/**/security-notices'],
  },
  {
    name: 'session/clients',
    specs: [
      'unit/access-tokens',
      'integration/session-repositories',
      'e2e/**/satellite-{registry,refresh,codes}',
    ],
  },
  {
    name: 'session',
    specs: [
      'unit/session-services',
      'integration/session-repositories',
      'e2e/**/{sessions,tokens,expiry,cleanup}',
    ],
  },
  {
    name: 'authenticator/totp',
    specs: [
      'unit/totp',
      'e2e/**/{second-factor-codes,second-factor-challenges,totp,authenticator-management,expiry}',
    ],
  },
  {
    name: 'authenticator/passkeys',
    specs: ['unit/passkey-values', 'e2e/**/{passkeys,passkey-races,authenticator-management,expiry}'],
  },
  { name: 'authenticator/recovery-codes', specs: ['e2e/**/second-factor-codes'] },
  { name: 'authenticator/trusted-devices', specs: ['e2e/**/{trusted-devices,expiry}'] },
  {
    name: 'authenticator',
    specs: [
      'unit/factor-answer',
      'e2e/**/{second-factor-codes,passkeys,passkey-races,totp,trusted-devices,authenticator-management,step-up}',
    ],
  },
  {
    name: 'ability',
    specs: [
      'e2e/**/{abilities,step-up,satellite-scopes,shipments,tenants,members,tenant-races}',
      'architecture/tenant-isolation',
      'integration/declarations',
      'unit/{ability,caller-scopes,satellite-scopes}',
    ],
  },
  {
    name: 'external-identity/flow',
    specs: [
      'e2e/**/external-{flow,binding,forms,link-codes,linking}',
      'e2e/**/expiry',
      'integration/one-time-rows',
      'unit/flow-*',
    ],
  },
  {
    name: 'platform/rate-limit',
    specs: [
      'e2e/**/{abilities,fast-path,hash-limit,http,limit-keys,membership-limit,metrics,resend-limit,shared-limits}',
      'integration/{token-buckets,shared-buckets}',
      'unit/{rate,redis}-limits',
    ],
  },
  { name: 'platform/crypto', specs: ['unit/crypto'] },
  {
    name: 'iam/accounts/credentials',
    specs: [
      'e2e/**/{accounts,login-throttle,security-notices,sign-in-failures}',
      'integration/{account-rows,credentials,erasure,one-time-rows}',
      'unit/{fair-queue,password-hasher}',
    ],
  },
  {
    name: 'iam/accounts/registration',
    specs: [
      'e2e/**/{accounts,registration-attacks,resend-limit,resend-races,expiry}',
      'integration/account-rows',
    ],
  },
  {
    name: 'iam/accounts/erasure',
    specs: ['integration/erasure', 'e2e/**/{erasure-of-members,security-notices}'],
  },
  { name: 'iam/accounts/suspension', specs: ['e2e/**/suspension', 'integration/account-rows'] },
  {
    name: 'iam/accounts',
    specs: [
      'e2e/**/{accounts,languages,suspension,versions}',
      'integration/{account-rows,credentials,erasure,one-time-rows}',
    ],
  },
];
