import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { MachineModule } from '../machine/index.js';
import { SessionModule } from '../session/index.js';
import { FrontlineCleanup } from './frontline-cleanup.js';
import { FrontlineDataRepository } from './frontline-data.repository.js';
import { StationSignInController } from './sign-in/station-sign-in.controller.js';
import { StationSignInService } from './sign-in/station-sign-in.service.js';
import { PinAttempts } from './sign-in/pin-attempts.js';
import { WorkerEntry } from './sign-in/worker-entry.js';
import { WorkerProof } from './sign-in/worker-proof.js';
import { StationNonces } from './stations/station-nonces.js';
import { StationProofs } from './stations/station-proofs.js';
import { StationSessions } from './stations/station-sessions.js';
import { StationController } from './stations/station.controller.js';
import { StationEntity } from './stations/station.entity.js';
import { StationPolicy } from './stations/station.policy.js';
import { StationRegistration } from './stations/station-registration.js';
import { StationRepository } from './stations/station.repository.js';
import { StationService } from './stations/station.service.js';
import { BadgeService } from './workers/badge.service.js';
import { DirectoryWorkers } from './workers/directory-workers.js';
import { PinHasher } from './workers/pin-hasher.js';
import { PinResetService } from './workers/pin-reset.service.js';
import { WorkerAccounts } from './workers/worker-accounts.js';
import { WorkerRoles } from './workers/worker-roles.js';
import { WorkerController } from './workers/worker.controller.js';
import { WorkerEntity } from './workers/worker.entity.js';
import { WorkerPolicy } from './workers/worker.policy.js';
import { WorkerErasure } from './workers/worker-erasure.js';
import { WorkerRepository } from './workers/worker.repository.js';
import { WorkerService } from './workers/worker.service.js';
import './frontline.events.js';

/** People without an address, and the shared stations at which they sign in (ADR 56). */
@Module({
  imports: [
    TypeOrmModule.forFeature([StationEntity, WorkerEntity]),
    AbilityModule,
    IamModule,
    MachineModule,
    SessionModule,
  ],
  controllers: [WorkerController, StationController, StationSignInController],
  providers: [
    BadgeService,
    DirectoryWorkers,
    FrontlineCleanup,
    FrontlineDataRepository,
    PinAttempts,
    PinHasher,
    PinResetService,
    StationNonces,
    StationPolicy,
    StationProofs,
    StationRegistration,
    StationRepository,
    StationService,
    StationSessions,
    StationSignInService,
    WorkerAccounts,
    WorkerPolicy,
    WorkerEntry,
    WorkerErasure,
    WorkerProof,
    WorkerRepository,
    WorkerRoles,
    WorkerService,
  ],
  exports: [DirectoryWorkers],
})
export class FrontlineModule {}
