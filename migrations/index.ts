import type { MigrationClass } from '../src/platform/database/migrate.js';
import { CreateSchema1795999000000 } from './1795999000000-create-schema.js';
import { PermissionModules1796050000001 } from './1796050000001-permission-modules.js';
import { OpenIdClientsOfAnyKind1796061000000 } from './1796061000000-openid-clients-of-any-kind.js';
import { RoleAssignments1796070000000 } from './1796070000000-role-assignments.js';
import { Frontline1796075000000 } from './1796075000000-frontline.js';
import { NamePeople1796080000001 } from './1796080000001-name-people.js';
import { SearchAnyPart1796080000002 } from './1796080000002-search-any-part.js';
import { AuditChain1796090000001 } from './1796090000001-audit-chain.js';
import { AuditAnchors1796090000002 } from './1796090000002-audit-anchors.js';
import { EndsOfAccess1796110000001 } from './1796110000001-ends-of-access.js';
import { Apis1796120000001 } from './1796120000001-apis.js';
import { ClientSecurity1796120000002 } from './1796120000002-client-security.js';
import { WorkersOfDirectories1796140000001 } from './1796140000001-workers-of-directories.js';
import { Partnerships1796150000001 } from './1796150000001-partnerships.js';
import { Agents1796170000001 } from './1796170000001-agents.js';
import { OpenAgentPolicies1796170000002 } from './1796170000002-open-agent-policies.js';
import { IdentityAssertions1796180000001 } from './1796180000001-identity-assertions.js';
import { FilterMembers1796200000002 } from './1796200000002-filter-members.js';
import { SearchPeopleAndRecords1796200000001 } from './1796200000001-search-people-and-records.js';
import { RegisteredThings1796160000001 } from './1796160000001-registered-things.js';
import { HoldersOfThings1796160000002 } from './1796160000002-holders-of-things.js';
import { AccessRequests1796160000003 } from './1796160000003-access-requests.js';
import { ThingsBelow1796160000004 } from './1796160000004-things-below.js';
import { AccessTokenAlg1796230000001 } from './1796230000001-access-token-alg.js';
import { ConsentsForMembers1796210000001 } from './1796210000001-consents-for-members.js';
import { DirectoryRulesOnThings1796240000001 } from './1796240000001-directory-rules-on-things.js';
import { EndsOfOrganizations1796240000002 } from './1796240000002-ends-of-organizations.js';
import { AuditRetention1796240600001 } from './1796240600001-audit-retention.js';
import { BoundAuditTables1796240600002 } from './1796240600002-bound-audit-tables.js';
import { ReadAuditBounds1796240600003 } from './1796240600003-read-audit-bounds.js';
import { AuditPartitions1796240600004 } from './1796240600004-audit-partitions.js';
import { SearchThings1796240100001 } from './1796240100001-search-things.js';
import { ActivityCounts1796240400001 } from './1796240400001-activity-counts.js';
import { ImportRuns1796240500000 } from './1796240500000-import-runs.js';
import { EndedKeys1796250460001 } from './1796250460001-ended-keys.js';
import { TenantsOfDetails1796250465000 } from './1796250465000-tenants-of-details.js';
import { AllowedBy1796250465001 } from './1796250465001-allowed-by.js';
import { MembersOffPartnerships1796250465002 } from './1796250465002-members-off-partnerships.js';
import { BulkActions1796250466001 } from './1796250466001-bulk-actions.js';
import { ImportInvitations1796250466002 } from './1796250466002-import-invitations.js';
import { Requesters1796250471001 } from './1796250471001-requesters.js';
import { BulkOutcomes1796250473001 } from './1796250473001-bulk-outcomes.js';
import { InvitationsOfSupport1796250480001 } from './1796250480001-invitations-of-support.js';
import { EndsOfPartnerships1796250500001 } from './1796250500001-ends-of-partnerships.js';
import { FormerNames1796250520001 } from './1796250520001-former-names.js';
import { ImportsOfTheCommandLine1796250520002 } from './1796250520002-imports-of-the-command-line.js';
import { SamlClients1796240300001 } from './1796240300001-saml-clients.js';
import { SearchOrganizations1796250530001 } from './1796250530001-search-organizations.js';
import { MoveLateAuditRows1796250690001 } from './1796250690001-move-late-audit-rows.js';
import { ListSamlApps1796250850001 } from './1796250850001-list-saml-apps.js';
import { BoundMemberKeys1796250890001 } from './1796250890001-bound-member-keys.js';

/** Every migration, oldest first. */
export const migrations: readonly MigrationClass[] = [
  CreateSchema1795999000000,
  PermissionModules1796050000001,
  OpenIdClientsOfAnyKind1796061000000,
  RoleAssignments1796070000000,
  Frontline1796075000000,
  NamePeople1796080000001,
  SearchAnyPart1796080000002,
  AuditChain1796090000001,
  AuditAnchors1796090000002,
  EndsOfAccess1796110000001,
  Apis1796120000001,
  ClientSecurity1796120000002,
  WorkersOfDirectories1796140000001,
  Partnerships1796150000001,
  Agents1796170000001,
  OpenAgentPolicies1796170000002,
  IdentityAssertions1796180000001,
  RegisteredThings1796160000001,
  HoldersOfThings1796160000002,
  AccessRequests1796160000003,
  ThingsBelow1796160000004,
  SearchPeopleAndRecords1796200000001,
  FilterMembers1796200000002,
  AccessTokenAlg1796230000001,
  ConsentsForMembers1796210000001,
  DirectoryRulesOnThings1796240000001,
  EndsOfOrganizations1796240000002,
  AuditRetention1796240600001,
  BoundAuditTables1796240600002,
  ReadAuditBounds1796240600003,
  AuditPartitions1796240600004,
  SearchThings1796240100001,
  ActivityCounts1796240400001,
  ImportRuns1796240500000,
  SamlClients1796240300001,
  EndedKeys1796250460001,
  TenantsOfDetails1796250465000,
  AllowedBy1796250465001,
  MembersOffPartnerships1796250465002,
  BulkActions1796250466001,
  ImportInvitations1796250466002,
  Requesters1796250471001,
  BulkOutcomes1796250473001,
  InvitationsOfSupport1796250480001,
  EndsOfPartnerships1796250500001,
  FormerNames1796250520001,
  ImportsOfTheCommandLine1796250520002,
  SearchOrganizations1796250530001,
  MoveLateAuditRows1796250690001,
  ListSamlApps1796250850001,
  BoundMemberKeys1796250890001,
];
