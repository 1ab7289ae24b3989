import { globSync } from 'node:fs';

/**
 * Parts of the sources, and the specs that have to notice a broken line there: npm run mutation
 * tries them, npm run test:changed runs them. A part within another one goes before it.
 * `folder` is `src/<name>` unless it is named.
 */
export const PARTS = [
  {
    name: 'session/codes',
    specs: [
      'integration/code-exchanges',
      'e2e/**/{satellite-codes,hosted-sign-in,expiry}',
      'e2e/openid/{openid-provider,openid-dpop}',
    ],
  },
  {
    name: 'session/grants',
    specs: [
      'integration/session-services',
      'integration/{session-repositories,code-exchanges}',
      'e2e/**/{tokens,tenant-tokens,satellite-refresh,expiry,metrics,sign-in-policy}',
      'e2e/openid/openid-{provider,dpop,tenant-clients}',
    ],
  },
  {
    name: 'session/tokens',
    specs: [
      'unit/access-tokens',
      'integration/session-services',
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
    name: 'client/status',
    specs: [
      'unit/access-tokens',
      'integration/session-repositories',
      'e2e/**/satellite-{registry,refresh,codes}',
    ],
  },
  {
    name: 'session',
    specs: [
      'integration/session-services',
      'integration/session-repositories',
      'e2e/**/{sessions,tokens,expiry,metrics}',
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
      'e2e/connection/own-proofs',
      'integration/declarations',
      'unit/{ability,ancestors,caller-scopes,satellite-scopes}',
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
  { name: 'openid/signals', specs: ['e2e/extras/signals'] },
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
      'unit/{webhook-dispatcher,webhook-engine,webhook-batches,delivery-engine,delivery-slots}',
      'integration/{webhook-claims,webhook-direct}',
      'e2e/webhook/{webhooks,webhooks-hostile,webhooks-order}',
    ],
  },
  { name: 'webhook/endpoints', specs: ['e2e/webhook/{webhooks,webhooks-ssrf,webhooks-stop}'] },
  { name: 'webhook', specs: ['e2e/webhook/{webhooks,webhooks-replay,webhooks-stop,events-listen}'] },
  {
    name: 'external-identity/providers/saml',
    specs: [
      'unit/saml-times',
      'e2e/external-identity/{external-saml,external-saml-attacks,external-strategies,sso-samlp}',
      'e2e/connection/{connection-saml,connection-encryption,connection-logout,connection-keys}',
    ],
  },
  {
    name: 'external-identity/providers',
    specs: [
      'e2e/external-identity/external-{apple,facebook,google,oidc,keys,strategies,own-faults}',
      'e2e/connection/{connection-oidc-provider,connection-signals}',
    ],
  },
  {
    name: 'external-identity/linking',
    specs: [
      'e2e/external-identity/external-{linking,link-codes,identity-key,pre-hijacking,ways-forward}',
      'e2e/connection/{connection-linking,connection-attacks,connection-authority,connection-domains-lost}',
      'e2e/connection/connection-provisioning',
      'e2e/accounts/people-import',
    ],
  },
  {
    name: 'external-identity/upstream',
    specs: [
      'e2e/connection/{connection-logout,connection-signals}',
      'e2e/external-identity/provider-notices',
    ],
  },
  {
    name: 'external-identity',
    specs: [
      'e2e/external-identity/external-{flow,linking,ways-forward}',
      'e2e/external-identity/provider-notices',
      'e2e/satellite/hosted-sign-in',
      'e2e/connection/{connection-tests,connection-sign-in}',
    ],
  },
  {
    name: 'connection/domains',
    specs: [
      'unit/domain-name',
      'integration/domain-lookup',
      'e2e/organizations/domains',
      'e2e/connection/{connection-domains-lost,connection-linking}',
    ],
  },
  {
    name: 'connection/rules',
    specs: ['unit/connection-rules', 'e2e/connection/connection-{provisioning,attacks}'],
  },
  {
    name: 'connection/metadata',
    specs: [
      'unit/metadata-expiry',
      'e2e/connection/{connection-saml,saml-reports,connections,connection-attacks}',
    ],
  },
  {
    name: 'connection/certificates',
    specs: ['e2e/connection/{connection-saml,connection-keys,connections,connection-attacks}'],
  },
  {
    name: 'connection/changes',
    specs: ['e2e/connection/{connection-authority,connections,connection-keys,connection-saml}'],
  },
  {
    name: 'connection/setup',
    specs: [
      'e2e/connection/{setup-links,connection-authority,connection-attacks}',
      'e2e/organizations/domains',
    ],
  },
  { name: 'connection/enforcement', specs: ['e2e/connection/{connection-enforcement,connection-factors}'] },
  {
    name: 'connection',
    specs: [
      'e2e/connection/{connections,connection-authority,connection-attacks,connection-sign-in}',
      'e2e/connection/{connection-tests,connection-saml}',
    ],
  },
  {
    name: 'directory/scim',
    specs: [
      'unit/{scim-chosen,scim-filter,scim-patch}',
      'e2e/directory/{scim,scim-dialects,scim-limits,token-creators,directory-clients}',
    ],
  },
  {
    name: 'directory/projection',
    specs: [
      'e2e/directory/{scim,scim-deactivation,directories}',
      'e2e/organizations/{managed-addresses,sender-budgets,invitation-ends}',
      'integration/directory-records',
    ],
  },
  {
    name: 'directory/directories',
    specs: [
      'e2e/directory/{token-creators,directories,directory-clients,scim-limits,scim}',
      'integration/taken-once',
      'e2e/connection/setup-links',
    ],
  },
  {
    name: 'directory',
    specs: [
      'integration/directory-records',
      'e2e/directory/{directories,directory-clients,scim,scim-deactivation,scim-dialects,scim-limits}',
    ],
  },
  { name: 'operator/impersonations', specs: ['e2e/operator/{impersonation,people}'] },
  {
    name: 'operator/imports',
    specs: ['e2e/operator/operator-imports', 'unit/import-part', 'e2e/accounts/people-import'],
  },
  {
    name: 'operator',
    specs: ['e2e/operator/{audit,console,impersonation,operators,people,operator-factors}'],
  },
  {
    name: 'iam/import',
    specs: [
      'unit/{import-values,import-part,foreign-hash}',
      'e2e/accounts/{people-import,legacy-directory}',
      'e2e/operator/operator-imports',
    ],
  },
  {
    name: 'iam/operators',
    specs: [
      'e2e/operator/{operators,operator-factors,platform-accounts,impersonation}',
      'e2e/webhook/webhooks-stop',
      'e2e/machine/leaked-keys',
      'e2e/platform/command-line',
    ],
  },
  {
    name: 'iam/organizations/invitations',
    specs: [
      'e2e/organizations/{invitations,invitation-ends,invitation-preview,branding,sender-budgets}',
      'integration/taken-once',
      'e2e/connection/own-proofs',
      'e2e/directory/scim',
    ],
  },
  {
    name: 'iam/organizations/members',
    specs: [
      'e2e/organizations/{members,member-lists,member-suspension,membership-limit,erasure-of-members}',
      'e2e/organizations/{roles,ownership-transfer,managed-addresses,invitation-ends,sign-in-policy}',
      'e2e/connection/own-proofs',
      'e2e/directory/scim',
    ],
  },
  { name: 'iam/organizations/partnerships', specs: ['e2e/organizations/partnerships'] },
  {
    name: 'iam/organizations/sign-in-policy',
    specs: [
      'e2e/organizations/{sign-in-policy,sign-in-policy-modules}',
      'e2e/connection/{connection-enforcement,own-proofs}',
    ],
  },
  {
    name: 'iam/organizations',
    specs: [
      'e2e/organizations/{invitations,members,member-suspension,roles,tenants,tenant-races,four-eyes}',
      'e2e/organizations/{sign-in-policy,ownership-transfer,tenant-deletion,membership-limit}',
      'e2e/organizations/{invitation-ends,sender-budgets}',
      'e2e/connection/own-proofs',
    ],
  },
  {
    name: 'frontline',
    specs: [
      'unit/{station-nonces,pin-hasher}',
      'integration/frontline-{stations,workers}',
      'e2e/directory/directory-workers',
    ],
  },
  {
    name: 'saml-provider',
    specs: ['e2e/saml-provider/saml-{attacks,clients,logout,platform-apps,sign-in}'],
  },
  {
    name: 'satellite',
    specs: [
      'e2e/satellite/{satellite-codes,satellite-scopes,satellite-refresh,satellite-registry,hosted-sign-in}',
      'e2e/openid/ways-to-a-token',
    ],
  },
  {
    name: 'client/registry',
    specs: [
      'e2e/satellite/{satellite-registry,client-logos,satellite-codes}',
      'e2e/openid/{any-client,ways-to-a-token,openid-tenant-clients,openid-live-clients}',
    ],
  },
  {
    name: 'client',
    specs: [
      'e2e/satellite/{client-logos,client-secrets,satellite-codes,satellite-registry,satellite-scopes}',
      'e2e/openid/{openid-tenant-clients,ways-to-a-token}',
      'unit/client-logos',
    ],
  },
  {
    name: 'platform/events',
    specs: [
      'integration/events',
      'e2e/webhook/{webhooks,webhooks-order,webhooks-replay,events-listen}',
      'architecture/events',
    ],
  },
  {
    name: 'platform/delivery',
    specs: [
      'unit/{delivery-engine,delivery-slots,due-scan}',
      'integration/webhook-claims',
      'e2e/webhook/{webhooks,webhooks-order,webhooks-hostile}',
      'e2e/openid/openid-logout',
    ],
  },
  {
    name: 'platform/budgets',
    specs: ['integration/daily-budgets', 'e2e/organizations/sender-budgets'],
  },
  {
    name: 'platform/mail',
    specs: [
      'unit/{mail-texts,mail-replies,quoted-name}',
      'integration/{mail,mail-texts}',
      'e2e/accounts/{resend-limit,registration-attacks,erasure}',
      'e2e/operator/people',
    ],
  },
  {
    name: 'platform/live',
    specs: [
      'integration/{live-cache,change-feed,primary,session-services}',
      'e2e/session/{revocation-races,sessions}',
      'e2e/platform/metrics',
    ],
  },
  {
    name: 'access',
    specs: [
      'unit/access-guard',
      'e2e/ability/{abilities,same-work}',
      'e2e/platform/{http,fast-path,query,cors}',
      'e2e/session/step-up',
      'e2e/portal/portal-serving',
      'e2e/operator/{impersonation,operator-imports}',
      'e2e/connection/{own-proofs,setup-links}',
      'e2e/machine/machine-callers',
      'e2e/openid/openid-resource',
    ],
  },
  {
    name: 'portal',
    specs: ['e2e/portal/{error-pages,portal-serving,portal-session-cookies}', 'unit/{first-page,error-page}'],
  },
  {
    name: 'client-package',
    folder: 'client/src',
    specs: [
      'client/test/{abilities,external-sign-in,faults,hosted-sign-in,nestjs,operations,revocations,satellites}',
      'client/test/{second-factor,session,sign-in-policy,step-up,tenants,verifier,webhooks}',
    ],
  },
];

/** Returns the part that a source belongs to, undefined if no part has its folder. */
export const partOf = (path) => PARTS.find((part) => path.startsWith(`${folderOf(part)}/`));

/** Returns the folder of a part, from the root of the repository. */
export const folderOf = ({ name, folder = `src/${name}` }) => folder;

/** Returns the pattern of a spec from the root of the repository. */
export const specPath = (name) => `${name.startsWith('client/') ? '' : 'test/'}${name}.spec.ts`;

/** Returns the names of specs, each without the folder `test` and its ending, that no file has. */
export function missingSpecs(patterns) {
  return patterns.flatMap(alternativesOf).filter((name) => globSync(specPath(name)).length === 0);
}

/** A pattern with `{a,b}` finds a file if one of the two is there: each has to be looked up. */
function alternativesOf(pattern) {
  const [braces, names] = /\{([^}]*)\}/.exec(pattern) ?? [];
  if (!braces) return [pattern];
  return names.split(',').flatMap((name) => alternativesOf(pattern.replace(braces, name)));
}
