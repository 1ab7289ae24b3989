import { Controller, Get } from '@nestjs/common';
import { RequireScopes, SelectedTenant } from '../../ability/index.js';
import type { TenantId } from '../../kernel/index.js';
import { Answers, Operation } from '../../platform/api/index.js';
import { CountRepository, SourcesResponse } from '../../platform/counts/index.js';
import { WebhooksTag } from '../webhooks-tag.js';
import { readActivity } from './activity.js';

/** How the deliveries of the selected organization went. */
@WebhooksTag()
@Controller('api/v1/webhooks/activity')
export class ActivityController {
  constructor(private readonly counts: CountRepository) {}

  @Get()
  @RequireScopes('webhooks:subscription:read')
  @Operation(
    'Count the attempts of the last 24 hours',
    'By subscription and outcome: `delivered`, `refused` for a response other than 2xx, `unreachable` for none. Tests do not count. Subscriptions without an attempt are left out.',
  )
  @Answers(SourcesResponse)
  async getSubscriptionActivity(@SelectedTenant() tenantId: TenantId) {
    return readActivity(this.counts, tenantId);
  }
}
