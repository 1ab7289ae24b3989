import { globSync } from 'node:fs';

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
    specs: ['unit/session-services', 'integration/session-repositories', 'e2e/**/{sessions,tokens,expiry}'],
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
  { name: 'openid/codes', specs: ['e2e/openid/{openid-provider,openid-dpop}'] },
  {
    name: 'openid/token',
    specs: [
      'unit/basic-credentials',
      'e2e/openid/openid-{provider,dpop,devices,resource}',
      'e2e/machine/{machine-tokens,token-exchange}',
      'e2e/directory/directory-clients',
    ],
  },
  { name: 'openid/consents', specs: ['e2e/openid/openid-{provider,devices}', 'e2e/accounts/my-data'] },
  { name: 'openid/devices', specs: ['e2e/openid/openid-{devices,tenant-clients,resource}'] },
  { name: 'openid/decisions', specs: ['e2e/openid/openid-{provider,tenant-clients,rfc9700}'] },
  { name: 'openid/requests', specs: ['e2e/openid/openid-{provider,tenant-clients,rfc9700,dpop}'] },
  { name: 'openid/logout', specs: ['unit/backchannel-logout', 'e2e/openid/openid-logout'] },
  { name: 'openid/keys', specs: ['e2e/openid/{id-token-keys,openid-provider}'] },
  { name: 'openid/signals', specs: ['e2e/openid/signals'] },
  { name: 'openid', specs: ['e2e/openid/openid-{provider,tenant-clients,resource}'] },
  {
    name: 'machine/keys',
    specs: ['unit/{api-key,key-use}', 'e2e/machine/{api-keys,machine-callers,leaked-keys,token-exchange}'],
  },
  { name: 'machine/clients', specs: ['unit/client-keys', 'e2e/machine/machine-tokens'] },
  { name: 'machine/trust', specs: ['unit/trust-conditions', 'e2e/machine/token-exchange'] },
  {
    name: 'machine/platform',
    specs: ['e2e/operator/platform-accounts', 'e2e/machine/{api-keys,leaked-keys,machine-callers}'],
  },
  {
    name: 'machine',
    specs: ['e2e/machine/{service-accounts,api-keys,machine-callers,leaked-keys}'],
  },
  {
    name: 'platform/outbound',
    specs: [
      'unit/{checked-lookup,host-pool,outbound-http}',
      'integration/{outbound-post,special-address}',
      'e2e/webhook/webhooks-{ssrf,hostile}',
    ],
  },
  {
    name: 'webhook/engine',
    specs: [
      'unit/{webhook-dispatcher,webhook-engine,webhook-finishes,delivery-engine,delivery-slots}',
      'integration/{webhook-claims,webhook-direct}',
      'e2e/webhook/{webhooks,webhooks-hostile,webhooks-order}',
    ],
  },
  { name: 'webhook/endpoints', specs: ['e2e/webhook/{webhooks,webhooks-ssrf,webhooks-stop}'] },
  { name: 'webhook', specs: ['e2e/webhook/{webhooks,webhooks-replay,webhooks-stop,events-listen}'] },
];

/** Returns the names of specs, each without the folder `test` and its ending, that no file has. */
export function missingSpecs(patterns) {
  return patterns.flatMap(alternativesOf).filter((name) => globSync(`test/${name}.spec.ts`).length === 0);
}

/** A pattern with `{a,b}` finds a file if one of the two is there: each has to be looked up. */
function alternativesOf(pattern) {
  const [braces, names] = /\{([^}]*)\}/.exec(pattern) ?? [];
  if (!braces) return [pattern];
  return names.split(',').flatMap((name) => alternativesOf(pattern.replace(braces, name)));
}
