import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { SessionModule } from '../session/index.js';
import { AnchorKeys } from './anchors/anchor-keys.js';
import { AnchorRepository } from './anchors/anchor.repository.js';
import { AnchorService } from './anchors/anchor.service.js';
import { AuditAnchorEntity } from './anchors/audit-anchor.entity.js';
import { AuditKeyEntity } from './anchors/audit-key.entity.js';
import { AuditChainEntity } from './chain/audit-chain.entity.js';
import { AuditCursorEntity } from './chain/audit-cursor.entity.js';
import { AuditEntryEntity } from './chain/audit-entry.entity.js';
import { ChainCleanup } from './chain/chain-cleanup.js';
import { ChainRepository } from './chain/chain.repository.js';
import { Chainer } from './chain/chainer.js';
import { AuditPartitionRepository } from './retention/audit-partition.repository.js';
import { AuditRemoval } from './retention/audit-removal.js';
import { AuditRetentionController } from './retention/audit-retention.controller.js';
import { AuditRetentionEntity } from './retention/audit-retention.entity.js';
import { AuditRetentionRepository } from './retention/audit-retention.repository.js';
import { AuditRetentionService } from './retention/audit-retention.service.js';
import { AuditStreamController } from './stream/audit-stream.controller.js';
import { StreamRepository } from './stream/stream.repository.js';
import { StreamService } from './stream/stream.service.js';
import { ChainVerifier } from './verification/chain-verifier.js';
import { TrailSweep } from './verification/trail-sweep.js';
import { VerificationRepository } from './verification/verification.repository.js';
import { VerificationService } from './verification/verification.service.js';

/** Proof that the audit trail is complete and unchanged (ADR 59). */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      AuditAnchorEntity,
      AuditChainEntity,
      AuditCursorEntity,
      AuditEntryEntity,
      AuditKeyEntity,
      AuditRetentionEntity,
    ]),
    AbilityModule,
    IamModule,
    SessionModule,
  ],
  controllers: [AuditRetentionController, AuditStreamController],
  providers: [
    AnchorKeys,
    AnchorRepository,
    AnchorService,
    AuditPartitionRepository,
    AuditRemoval,
    AuditRetentionRepository,
    AuditRetentionService,
    Chainer,
    ChainCleanup,
    ChainRepository,
    ChainVerifier,
    StreamRepository,
    StreamService,
    TrailSweep,
    VerificationRepository,
    VerificationService,
  ],
})
export class AuditModule {}
