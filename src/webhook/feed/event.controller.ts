import { Controller, Get } from '@nestjs/common';
import { RequireScopes, SelectedTenant } from '../../ability/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { Answers, Bearer, Operation, QueryOf } from '../../platform/api/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { Caller } from '../../platform/web/index.js';
import { READ, WebhooksTag } from '../webhook.declarations.js';
import { EventPageResponse, EventsQuery, EventTypesResponse } from './event.dto.js';
import { EventService } from './event.service.js';

/** Events of the selected organization, to be pulled, and their types. */
@WebhooksTag()
@Controller('api/v1/webhooks')
export class EventController {
  constructor(private readonly events: EventService) {}

  @Get('event-types')
  @Bearer('app')
  @Operation('List types of events', 'Those that the caller may subscribe to in the selected organization.')
  @Answers(EventTypesResponse)
  async listEventTypes(@SelectedTenant() tenantId: TenantId, @Caller() caller: Principal) {
    return { items: await this.events.listTypes(tenantId, caller) };
  }

  @Get('events')
  @RequireScopes('webhooks:event:read')
  @Operation(
    'List events',
    'In order of `sequence`, from 30 days back. No event appears before one that a reader has seen, so that a cursor misses none.',
  )
  @Answers(EventPageResponse)
  listEvents(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @QueryOf(EventsQuery) query: EventsQuery,
  ): Promise<EventPageResponse> {
    return this.events.read(tenantId, caller, query);
  }
}

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
