import { Injectable } from '@nestjs/common';
import type { TenantId } from '../kernel/index.js';
import {
  beginOf,
  ChartResponse,
  CountRepository,
  type CountRow,
  type Span,
} from '../platform/counts/index.js';
import type { ChartsResponse, PlatformOverviewResponse, TenantOverviewResponse } from './overview.dto.js';
import { OverviewRepository } from './overview.repository.js';

/** What is counted for an organization. */
const OF_TENANT = [
  'sign-in',
  'sign-in-refused',
  'second-factor',
  'factor',
  'member',
  'session',
  'delivery',
  'scim',
];
/** What is counted for the platform. */
const OF_PLATFORM = [
  'sign-up',
  'sign-in',
  'sign-in-refused',
  'second-factor',
  'factor',
  'session',
  'mail',
  'job',
  'delivery',
  'logout-token',
  'scim',
];

/** Shows what happens in an organization, and on the platform. */
@Injectable()
export class OverviewService {
  constructor(
    private readonly counts: CountRepository,
    private readonly figures: OverviewRepository,
  ) {}

  async ofTenant(tenantId: TenantId): Promise<TenantOverviewResponse> {
    const present = await this.figures.getOfTenant(tenantId);
    const charts = await chartsOf((span, since) => this.counts.sum(tenantId, span, OF_TENANT, since));
    return { present, ...charts };
  }

  async ofPlatform(): Promise<PlatformOverviewResponse> {
    const present = await this.figures.getOfPlatform();
    const charts = await chartsOf((span, since) => this.counts.sumOfPlatform(span, OF_PLATFORM, since));
    return { present, ...charts };
  }
}

async function chartsOf(read: (span: Span, since: Date) => Promise<CountRow[]>): Promise<ChartsResponse> {
  const chart = async (span: Span): Promise<ChartResponse> => {
    const since = beginOf(span);
    return ChartResponse.from(await read(span, since), span, since);
  };
  return { hours: await chart('hour'), days: await chart('day') };
}
