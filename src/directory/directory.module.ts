import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DirectoryCleanup } from './directory-cleanup.js';
import { DirectoryEntity } from './directories/directory.entity.js';
import { DirectoryRuleEntity } from './directories/directory-rule.entity.js';
import { DirectoryLogEntity } from './directories/log.entity.js';
import { DirectoryTokens } from './directories/directory-tokens.js';
import { DirectoryTokenEntity } from './directories/token.entity.js';
import { DirectoryGroupEntity } from './records/group.entity.js';
import { DirectoryGroupMemberEntity } from './records/group-member.entity.js';
import { GroupRecords } from './records/group-records.js';
import { RecordLists } from './records/record-lists.js';
import { UserRecords } from './records/user-records.js';
import { DirectoryUserEntity } from './records/user.entity.js';

const entities = [
  DirectoryEntity,
  DirectoryGroupEntity,
  DirectoryGroupMemberEntity,
  DirectoryLogEntity,
  DirectoryRuleEntity,
  DirectoryTokenEntity,
  DirectoryUserEntity,
];

/** Directories of organizations: people and groups that a customer's own system sends (SCIM). */
@Module({
  imports: [TypeOrmModule.forFeature(entities)],
  providers: [DirectoryCleanup, DirectoryTokens, GroupRecords, RecordLists, UserRecords],
})
export class DirectoryModule {}
