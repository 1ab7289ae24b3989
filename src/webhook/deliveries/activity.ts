import type { TenantId } from '../../kernel/index.js';
import { beginOf, type CountRepository, SourcesResponse } from '../../platform/counts/index.js';
import { DELIVERY } from '../engine/deliverer.js';

/** Counts the attempts of the last 24 hours, by subscription and outcome. */
export async function readActivity(counts: CountRepository, tenantId: TenantId): Promise<SourcesResponse> {
  const since = beginOf('hour');
  return SourcesResponse.from(await counts.listOfSources(tenantId, 'hour', DELIVERY, since), 'hour', since);
}
