import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventCursorEntity } from './event-cursor.entity.js';
import { EventEntity } from './event.entity.js';
import { EventEntryEntity } from './event-entry.entity.js';
import { EventFeed } from './event-feed.js';
import { EventMetrics } from './event-metrics.js';
import { EventPartitions } from './event-partitions.js';
import { EventSequencer } from './event-sequencer.js';
import { EventStreamEntity } from './event-stream.entity.js';
import { Events } from './events.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([EventEntity, EventEntryEntity, EventStreamEntity, EventCursorEntity])],
  providers: [EventFeed, EventMetrics, EventPartitions, EventSequencer, Events],
  exports: [EventFeed, EventSequencer, Events],
})
export class EventsModule {}
