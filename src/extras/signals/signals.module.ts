import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientModule } from '../../client/index.js';
import { OpenIdModule } from '../../openid/index.js';
import { SignalNews } from './delivery/signal-news.js';
import { SignalPollController } from './delivery/signal-poll.controller.js';
import { SignalPollService } from './delivery/signal-poll.service.js';
import { SignalPusher } from './delivery/signal-pusher.js';
import { SignalTokens } from './delivery/signal-tokens.js';
import { EndedSessionEntity } from './events/ended-session.entity.js';
import { EndedSessionRepository } from './events/ended-session.repository.js';
import { SignalEventEntity } from './events/signal-event.entity.js';
import { SignalEventRepository } from './events/signal-event.repository.js';
import { RecentSessions } from './events/recent-sessions.js';
import { Signals } from './events/signals.js';
import { SignalClients } from './signal-clients.js';
import { SsfConfigurationController } from './ssf-configuration.controller.js';
import { SignalStatusController } from './streams/signal-status.controller.js';
import { SignalStreamController } from './streams/signal-stream.controller.js';
import { SignalStreamEntity } from './streams/signal-stream.entity.js';
import { SignalStreamRepository } from './streams/signal-stream.repository.js';
import { StreamDelivery } from './streams/stream-delivery.js';
import { SignalStreamService } from './streams/signal-stream.service.js';

/** Security events for services that verify access tokens by themselves (SSF 1.0, CAEP, RISC). */
@Module({
  imports: [
    TypeOrmModule.forFeature([EndedSessionEntity, SignalEventEntity, SignalStreamEntity]),
    ClientModule,
    OpenIdModule,
  ],
  controllers: [
    SignalPollController,
    SignalStatusController,
    SignalStreamController,
    SsfConfigurationController,
  ],
  providers: [
    EndedSessionRepository,
    RecentSessions,
    SignalClients,
    SignalEventRepository,
    SignalNews,
    SignalPollService,
    SignalPusher,
    Signals,
    SignalStreamRepository,
    SignalStreamService,
    SignalTokens,
    StreamDelivery,
  ],
})
export class SignalsModule {}
