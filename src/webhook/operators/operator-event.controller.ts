import { Controller, Get } from '@nestjs/common';
import { RequireScopes } from '../../ability/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, Operation, QueryOf } from '../../platform/api/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { Caller } from '../../platform/web/index.js';
import { EventPageResponse, EventsQuery, EventTypesResponse } from '../feed/event.dto.js';
import { EventService } from '../feed/event.service.js';
import { WebhooksTag } from '../webhooks-tag.js';
import { READ } from './operator-scopes.js';

/** Events of the whole platform, to be pulled, and their types. */
@WebhooksTag()
@Controller('api/v1/operator/webhooks')
export class OperatorEventController {
  constructor(private readonly events: EventService) {}

  @Get('event-types')
  @RequireScopes(READ)
  @Operation('List types of platform events')
  @Answers(EventTypesResponse)
  async listPlatformEventTypes(@Caller() caller: Principal) {
    return { items: await this.events.listTypes(PLATFORM, caller) };
  }

  @Get('events')
  @RequireScopes(READ)
  @Operation('List platform events')
  @Answers(EventPageResponse)
  listPlatformEvents(
    @Caller() caller: Principal,
    @QueryOf(EventsQuery) query: EventsQuery,
  ): Promise<EventPageResponse> {
    return this.events.read(PLATFORM, caller, query);
  }
}
