export { EventAudience } from './event-audience.js';
export { type EventDocument, eventDocumentOf, eventDocuments } from './event-document.js';
export { EventFeed, type FeedEvent } from './event-feed.js';
export { EVENT_DAYS } from './event-partitions.js';
export { EventSequencer, PLATFORM, type StreamedEvent } from './event-sequencer.js';
export {
  declareEventType,
  EventType,
  type EventTypeOptions,
  eventTypeOf,
  eventTypes,
  findEventType,
} from './event-type.js';
export { type Emitter, Events, type TypedEmission } from './events.js';
export { EventsModule } from './events.module.js';
export { WakingLoop } from './waking-loop.js';
