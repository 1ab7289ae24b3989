import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { ConnectionModule } from '../connection/index.js';
import { FrontlineModule } from '../frontline/index.js';
import { IamModule } from '../iam/index.js';
import { SessionModule } from '../session/index.js';
import { DirectoryCleanup } from './directory-cleanup.js';
import { DirectoryClients } from './directories/directory-clients.js';
import { DirectoryController } from './directories/directory.controller.js';
import { DirectoryEntity } from './directories/directory.entity.js';
import { DirectoryLogRepository } from './directories/directory-log.repository.js';
import {
  DirectoryPeopleController,
  MemberGroupsController,
} from './directories/directory-people.controller.js';
import { DirectoryPolicy, DirectoryTokenPolicy } from './directories/directory.policy.js';
import { DirectoryReach } from './directories/directory-reach.js';
import { DirectoryRepository } from './directories/directory.repository.js';
import { DirectoryRuleRepository } from './directories/directory-rule.repository.js';
import { DirectoryRules } from './directories/directory-rules.js';
import { DirectoryService } from './directories/directory.service.js';
import { DirectoryTokenController } from './directories/directory-token.controller.js';
import { DirectoryRuleEntity } from './directories/directory-rule.entity.js';
import { DirectoryLogEntity } from './directories/log.entity.js';
import { DirectoryTokenCheck } from './directories/directory-token-check.js';
import { DirectoryTokenNotices } from './directories/directory-token-notices.js';
import { DirectoryTokenRepository } from './directories/directory-token.repository.js';
import { DirectoryTokenService } from './directories/directory-token.service.js';
import { DirectoryTokenEntity } from './directories/token.entity.js';
import { SetupDirectoryController } from './directories/setup-directory.controller.js';
import { SetupDirectoryService } from './directories/setup-directory.service.js';
import {
  DirectoryGroupEntity,
  DirectoryGroupMemberEntity,
  DirectoryUserEntity,
} from './records/record.entity.js';
import { GroupMembershipRepository } from './records/group-membership.repository.js';
import { GroupRecordRepository } from './records/group-record.repository.js';
import { DirectoryPeopleRepository } from './records/directory-people.repository.js';
import { DirectorySpace } from './records/record-rules.js';
import { RecordListRepository } from './records/record-list.repository.js';
import { UserRecordRepository } from './records/user-record.repository.js';
import { DirectoryMembers } from './projection/directory-members.js';
import { GroupSync } from './projection/group-sync.js';
import { ManagedAccounts } from './projection/managed-accounts.js';
import { MembershipProjection } from './projection/membership-projection.js';
import { DirectorySuspensionRepository } from './projection/directory-suspension.repository.js';
import { PersonRepository } from './projection/person.repository.js';
import { RecordAccounts } from './projection/record-accounts.js';
import { DirectorySuspensionEntity } from './projection/suspension.entity.js';
import { DirectoryTransactions } from './projection/directory-transactions.js';
import { UserEvents } from './projection/user-events.js';
import { UserRetry } from './projection/user-retry.js';
import { UserSync } from './projection/user-sync.js';
import { DirectoryAccess } from './scim/directory-access.js';
import { ScimBulk } from './scim/scim-bulk.js';
import { ScimCalls, ScimReplies, WriteTurns } from './scim/scim-calls.js';
import { ScimGroups, ScimUsers } from './scim/scim-records.js';
import { ScimRootController } from './scim/scim-root.controller.js';
import { ScimGroupsController, ScimUsersController } from './scim/scim-records.controller.js';
import './directory.events.js';

const entities = [
  DirectoryEntity,
  DirectoryGroupEntity,
  DirectoryGroupMemberEntity,
  DirectoryLogEntity,
  DirectoryRuleEntity,
  DirectorySuspensionEntity,
  DirectoryTokenEntity,
  DirectoryUserEntity,
];

const management = [
  DirectoryClients,
  DirectoryLogRepository,
  DirectoryPolicy,
  DirectoryReach,
  DirectoryRepository,
  DirectoryRuleRepository,
  DirectoryRules,
  DirectoryService,
  DirectoryTokenCheck,
  DirectoryTokenNotices,
  DirectoryTokenPolicy,
  DirectoryTokenRepository,
  DirectoryTokenService,
  SetupDirectoryService,
];
const records = [
  DirectoryPeopleRepository,
  DirectorySpace,
  GroupMembershipRepository,
  GroupRecordRepository,
  RecordListRepository,
  UserRecordRepository,
];
const projection = [
  DirectoryMembers,
  DirectorySuspensionRepository,
  GroupSync,
  ManagedAccounts,
  MembershipProjection,
  PersonRepository,
  RecordAccounts,
  DirectoryTransactions,
  UserEvents,
  UserRetry,
  UserSync,
];
const scim = [DirectoryAccess, ScimBulk, ScimCalls, ScimGroups, ScimReplies, ScimUsers, WriteTurns];

/** Directories of organizations: people and groups that a customer's own system sends (SCIM). */
@Module({
  imports: [
    TypeOrmModule.forFeature(entities),
    AbilityModule,
    ConnectionModule,
    FrontlineModule,
    IamModule,
    SessionModule,
  ],
  controllers: [
    DirectoryController,
    DirectoryTokenController,
    DirectoryPeopleController,
    MemberGroupsController,
    SetupDirectoryController,
    ScimUsersController,
    ScimGroupsController,
    ScimRootController, // last: it refuses all other paths
  ],
  providers: [...management, ...records, ...projection, ...scim, DirectoryCleanup],
  exports: [DirectoryAccess, GroupMembershipRepository],
})
export class DirectoryModule {}
