import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
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
import { AuditStreamController } from './stream/audit-stream.controller.js';
import { StreamRepository } from './stream/stream.repository.js';
import { StreamService } from './stream/stream.service.js';
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
    ]),
    AbilityModule,
    SessionModule,
  ],
  controllers: [AuditStreamController],
  providers: [
    AnchorKeys,
    AnchorRepository,
    AnchorService,
    Chainer,
    ChainCleanup,
    ChainRepository,
    StreamRepository,
    StreamService,
    VerificationRepository,
    VerificationService,
  ],
})
export class AuditModule {}
