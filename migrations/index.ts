import type { MigrationClass } from '../src/platform/database/migrate.js';
import { CreateAccountsAndSessions1795190400000 } from './1795190400000-create-accounts-and-sessions.js';
import { IndexSessionsOfAccounts1795230000000 } from './1795230000000-index-sessions-of-accounts.js';
import { CreateTenants1795248000000 } from './1795248000000-create-tenants.js';
import { CreateSatellites1795334400000 } from './1795334400000-create-satellites.js';
import { CreateExternalIdentities1795420800000 } from './1795420800000-create-external-identities.js';
import { CreateSaml1795460000000 } from './1795460000000-create-saml.js';
import { CreateJobRunners1795510000000 } from './1795510000000-create-job-runners.js';
import { CreateExternalForms1795520000000 } from './1795520000000-create-external-forms.js';
import { TrustNetworks1795530000000 } from './1795530000000-trust-networks.js';
import { IndexErasedAccounts1795540000000 } from './1795540000000-index-erased-accounts.js';
import { SuspendAccounts1795550000000 } from './1795550000000-suspend-accounts.js';
import { BoundRegistrations1795560000000 } from './1795560000000-bound-registrations.js';
import { ScopeSatellites1795570000000 } from './1795570000000-scope-satellites.js';
import { RecordFailedSignIns1795580000000 } from './1795580000000-record-failed-sign-ins.js';
import { CreateExternalLinkCodes1795590000000 } from './1795590000000-create-external-link-codes.js';
import { NoteConfirmations1795600000000 } from './1795600000000-note-confirmations.js';
import { CreateKnownNetworks1795600010000 } from './1795600010000-create-known-networks.js';
import { CreateIdempotentResponses1795610000000 } from './1795610000000-create-idempotent-responses.js';
import { AddLocales1795620000000 } from './1795620000000-add-locales.js';
import { CopyNamesOfMembers1795630000000 } from './1795630000000-copy-names-of-members.js';
import { IndexMembers1795630010000 } from './1795630010000-index-members.js';
import { IndexInvitations1795640000000 } from './1795640000000-index-invitations.js';
import { IndexAuditEvents1795650000000 } from './1795650000000-index-audit-events.js';
import { DeleteTenants1795660000000 } from './1795660000000-delete-tenants.js';
import { IssueFirstPartyCodes1795661000000 } from './1795661000000-issue-first-party-codes.js';
import { CreateSessionEvidence1795666000000 } from './1795666000000-create-session-evidence.js';
import { CreateAuthenticators1795666010000 } from './1795666010000-create-authenticators.js';
import { CreateEmailChanges1795667000000 } from './1795667000000-create-email-changes.js';
import { CreateEmailCodes1795667000001 } from './1795667000001-create-email-codes.js';
import { AddSignInPolicies1795668000000 } from './1795668000000-add-sign-in-policies.js';
import { CreateFactorResets1795669000000 } from './1795669000000-create-factor-resets.js';
import { CreateEvents1795672000000 } from './1795672000000-create-events.js';
import { CreateWebhooks1795672010000 } from './1795672010000-create-webhooks.js';
import { ReviewSubscriptions1795674000000 } from './1795674000000-review-subscriptions.js';
import { CreateConnections1795676000000 } from './1795676000000-create-connections.js';
import { KeyIdentitiesByConnection1795678000000 } from './1795678000000-key-identities-by-connection.js';
import { SuspendMembers1795682000000 } from './1795682000000-suspend-members.js';
import { CreateDirectories1795730000000 } from './1795730000000-create-directories.js';
import { KeepFirstFactors1795735000000 } from './1795735000000-keep-first-factors.js';
import { ManageAccountsOfDirectories1795736000000 } from './1795736000000-manage-accounts-of-directories.js';
import { CreateServiceAccounts1795740000000 } from './1795740000000-create-service-accounts.js';
import { BoundReplays1795741000000 } from './1795741000000-bound-replays.js';
import { CreateUsedAssertions1795742000000 } from './1795742000000-create-used-assertions.js';
import { CreateTrustRules1795743000000 } from './1795743000000-create-trust-rules.js';
import { CreateKeyPolicies1795744000000 } from './1795744000000-create-key-policies.js';
import { WarnOfDirectoryTokens1795744500000 } from './1795744500000-warn-of-directory-tokens.js';
import { NoteVouchers1795750000000 } from './1795750000000-note-vouchers.js';
import { DescribeOpenIdClients1795752000000 } from './1795752000000-describe-openid-clients.js';
import { CreateOpenIdRequests1795753000000 } from './1795753000000-create-openid-requests.js';
import { GiveOperatorsRoles1795760000000 } from './1795760000000-give-operators-roles.js';
import { SignSamlRequests1795760000010 } from './1795760000010-sign-saml-requests.js';
import { FindPeople1795761000000 } from './1795761000000-find-people.js';
import { NoteLanguagesOfRequests1795761000010 } from './1795761000010-note-languages-of-requests.js';
import { CreateDevices1795761000020 } from './1795761000020-create-devices.js';
import { BindGrants1795761000030 } from './1795761000030-bind-grants.js';
import { KeepKeysOfClients1795761000040 } from './1795761000040-keep-keys-of-clients.js';
import { NamePeopleToClients1795761000050 } from './1795761000050-name-people-to-clients.js';
import { FindOrganizations1795762000000 } from './1795762000000-find-organizations.js';
import { CreateImpersonations1795762000001 } from './1795762000001-create-impersonations.js';
import { FindPeopleOfConnections1795762000002 } from './1795762000002-find-people-of-connections.js';
import { CreateAccountExports1795763000000 } from './1795763000000-create-account-exports.js';
import { FindImportedPasswords1795770000010 } from './1795770000010-find-imported-passwords.js';
import { KeepClientsOfOrganizations1795771000000 } from './1795771000000-keep-clients-of-organizations.js';
import { CreateSignalStreams1795771000400 } from './1795771000400-create-signal-streams.js';
import { CreateUpstreamSessions1795772000100 } from './1795772000100-create-upstream-sessions.js';
import { CreateOidcClientKeys1795772000110 } from './1795772000110-create-oidc-client-keys.js';
import { BindSetupLinks1795772000200 } from './1795772000200-bind-setup-links.js';
import { CreateTrustedFactors1795772000500 } from './1795772000500-create-trusted-factors.js';
import { CreateBrandings1795780000300 } from './1795780000300-create-brandings.js';
import { CreatePlatformAccounts1795790000100 } from './1795790000100-create-platform-accounts.js';
import { NameOrganizationsInAddresses1795790000200 } from './1795790000200-name-organizations-in-addresses.js';
import { FindUnlinkedRecords1795790000210 } from './1795790000210-find-unlinked-records.js';
import { RememberEndedSessions1795790000300 } from './1795790000300-remember-ended-sessions.js';
import { BindImpersonations1795790000401 } from './1795790000401-bind-impersonations.js';
import { CreateErasureRequests1795790000402 } from './1795790000402-create-erasure-requests.js';
import { KeepSentMails1795790000403 } from './1795790000403-keep-sent-mails.js';
import { KeepProviderGrants1795790000404 } from './1795790000404-keep-provider-grants.js';
import { KeepFormerSlugs1795790000500 } from './1795790000500-keep-former-slugs.js';
import { NoteAgeOfRecoveryCodes1795790100100 } from './1795790100100-note-age-of-recovery-codes.js';
import { ReserveSlugsOfTheDeleted1795790200100 } from './1795790200100-reserve-slugs-of-the-deleted.js';
import { NoteSuspensionsByDirectories1795790300100 } from './1795790300100-note-suspensions-by-directories.js';
import { FindAddressesOfDirectories1795790300200 } from './1795790300200-find-addresses-of-directories.js';
import { TrustAppointments1795790500100 } from './1795790500100-trust-appointments.js';
import { RestrictOperators1795790500200 } from './1795790500200-restrict-operators.js';
import { CreateConnectionKeys1795790800100 } from './1795790800100-create-connection-keys.js';
import { NoteMakersOfDirectoryTokens1795791100100 } from './1795791100100-note-makers-of-directory-tokens.js';
import { FindAddressesInUserNames1795791100200 } from './1795791100200-find-addresses-in-user-names.js';
import { FindReplacedSecrets1795792200100 } from './1795792200100-find-replaced-secrets.js';
import { NoteStrengthOfKeys1795800400100 } from './1795800400100-note-strength-of-keys.js';
import { FindTrustRulesOfAccounts1795800400200 } from './1795800400200-find-trust-rules-of-accounts.js';
import { KeepClientLogos1795800500100 } from './1795800500100-keep-client-logos.js';
import { NoteActivityOfMembers1795800700100 } from './1795800700100-note-activity-of-members.js';
import { NoteTicketsOfImpersonations1795800800100 } from './1795800800100-note-tickets-of-impersonations.js';
import { WarnOfPlatformKeys1795800900100 } from './1795800900100-warn-of-platform-keys.js';
import { FetchEarlierClientLogos1795801000100 } from './1795801000100-fetch-earlier-client-logos.js';
import { KeyImportedAccounts1795801000200 } from './1795801000200-key-imported-accounts.js';
import { CreateLogoutNotices1795801000300 } from './1795801000300-create-logout-notices.js';
import { SelectTrustRules1795903000000 } from './1795903000000-select-trust-rules.js';
import { CountRecordsOfDirectories1795970000100 } from './1795970000100-count-records-of-directories.js';
import { RegisterSatelliteCodes1795950000100 } from './1795950000100-register-satellite-codes.js';
import { NoteActivations1795930000100 } from './1795930000100-note-activations.js';
import { RememberSuspensionsOfDirectories1795990000000 } from './1795990000000-remember-suspensions-of-directories.js';
import { CreateImportRequests1795960000100 } from './1795960000100-create-import-requests.js';
import { NoteMembershipOfIdentities1795940000100 } from './1795940000100-note-membership-of-identities.js';
import { NoteIncompleteGroups1795940000200 } from './1795940000200-note-incomplete-groups.js';
import { NameSessionsToClients1795950000200 } from './1795950000200-name-sessions-to-clients.js';
import { AskForOwnProofs1795920000100 } from './1795920000100-ask-for-own-proofs.js';
import { NoteWhatSessionsMade1795920000200 } from './1795920000200-note-what-sessions-made.js';
import { CreateBudgetsOfSenders1795970000200 } from './1795970000200-create-budgets-of-senders.js';
import { NoteVouchersOfKeys1795960000200 } from './1795960000200-note-vouchers-of-keys.js';
import { CreateConnectionChanges1795930000200 } from './1795930000200-create-connection-changes.js';

/** Every migration, oldest first. */
export const migrations: readonly MigrationClass[] = [
  CreateAccountsAndSessions1795190400000,
  IndexSessionsOfAccounts1795230000000,
  CreateTenants1795248000000,
  CreateSatellites1795334400000,
  CreateExternalIdentities1795420800000,
  CreateSaml1795460000000,
  CreateJobRunners1795510000000,
  CreateExternalForms1795520000000,
  TrustNetworks1795530000000,
  IndexErasedAccounts1795540000000,
  SuspendAccounts1795550000000,
  BoundRegistrations1795560000000,
  ScopeSatellites1795570000000,
  RecordFailedSignIns1795580000000,
  CreateExternalLinkCodes1795590000000,
  NoteConfirmations1795600000000,
  CreateKnownNetworks1795600010000,
  CreateIdempotentResponses1795610000000,
  AddLocales1795620000000,
  CopyNamesOfMembers1795630000000,
  IndexMembers1795630010000,
  IndexInvitations1795640000000,
  IndexAuditEvents1795650000000,
  DeleteTenants1795660000000,
  IssueFirstPartyCodes1795661000000,
  CreateSessionEvidence1795666000000,
  CreateAuthenticators1795666010000,
  CreateEmailChanges1795667000000,
  CreateEmailCodes1795667000001,
  AddSignInPolicies1795668000000,
  CreateFactorResets1795669000000,
  CreateEvents1795672000000,
  CreateWebhooks1795672010000,
  ReviewSubscriptions1795674000000,
  CreateConnections1795676000000,
  KeyIdentitiesByConnection1795678000000,
  SuspendMembers1795682000000,
  CreateDirectories1795730000000,
  KeepFirstFactors1795735000000,
  ManageAccountsOfDirectories1795736000000,
  CreateServiceAccounts1795740000000,
  BoundReplays1795741000000,
  CreateUsedAssertions1795742000000,
  CreateTrustRules1795743000000,
  CreateKeyPolicies1795744000000,
  WarnOfDirectoryTokens1795744500000,
  NoteVouchers1795750000000,
  DescribeOpenIdClients1795752000000,
  CreateOpenIdRequests1795753000000,
  GiveOperatorsRoles1795760000000,
  SignSamlRequests1795760000010,
  FindPeople1795761000000,
  NoteLanguagesOfRequests1795761000010,
  CreateDevices1795761000020,
  BindGrants1795761000030,
  KeepKeysOfClients1795761000040,
  NamePeopleToClients1795761000050,
  FindOrganizations1795762000000,
  CreateImpersonations1795762000001,
  FindPeopleOfConnections1795762000002,
  CreateAccountExports1795763000000,
  FindImportedPasswords1795770000010,
  KeepClientsOfOrganizations1795771000000,
  CreateSignalStreams1795771000400,
  CreateUpstreamSessions1795772000100,
  CreateOidcClientKeys1795772000110,
  BindSetupLinks1795772000200,
  CreateTrustedFactors1795772000500,
  CreateBrandings1795780000300,
  CreatePlatformAccounts1795790000100,
  NameOrganizationsInAddresses1795790000200,
  FindUnlinkedRecords1795790000210,
  RememberEndedSessions1795790000300,
  BindImpersonations1795790000401,
  CreateErasureRequests1795790000402,
  KeepSentMails1795790000403,
  KeepProviderGrants1795790000404,
  KeepFormerSlugs1795790000500,
  NoteAgeOfRecoveryCodes1795790100100,
  ReserveSlugsOfTheDeleted1795790200100,
  NoteSuspensionsByDirectories1795790300100,
  FindAddressesOfDirectories1795790300200,
  TrustAppointments1795790500100,
  RestrictOperators1795790500200,
  CreateConnectionKeys1795790800100,
  NoteMakersOfDirectoryTokens1795791100100,
  FindAddressesInUserNames1795791100200,
  FindReplacedSecrets1795792200100,
  NoteStrengthOfKeys1795800400100,
  FindTrustRulesOfAccounts1795800400200,
  KeepClientLogos1795800500100,
  NoteActivityOfMembers1795800700100,
  NoteTicketsOfImpersonations1795800800100,
  WarnOfPlatformKeys1795800900100,
  FetchEarlierClientLogos1795801000100,
  KeyImportedAccounts1795801000200,
  CreateLogoutNotices1795801000300,
  SelectTrustRules1795903000000,
  CountRecordsOfDirectories1795970000100,
  RegisterSatelliteCodes1795950000100,
  NoteActivations1795930000100,
  RememberSuspensionsOfDirectories1795990000000,
  CreateImportRequests1795960000100,
  NoteMembershipOfIdentities1795940000100,
  NoteIncompleteGroups1795940000200,
  NameSessionsToClients1795950000200,
  AskForOwnProofs1795920000100,
  NoteWhatSessionsMade1795920000200,
  CreateBudgetsOfSenders1795970000200,
  NoteVouchersOfKeys1795960000200,
  CreateConnectionChanges1795930000200,
];
