import { Controller, Get } from '@nestjs/common';
import { Database, Primary } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { Answers, Operation, Output, Problems, Public, Tag } from '../api/index.js';
import { type Sharing, SHARING, TokenBuckets } from '../rate-limit/index.js';
import { Processes } from '../processes/index.js';
import { Draining } from './draining.js';

const CHECK_TIMEOUT_MS = 2_000;

class HealthResponse {
  @Output.word(['ok'])
  status: 'ok';
}

class ReadinessResponse extends HealthResponse {
  @Output.word(SHARING, {
    description:
      'Scope of the rate limits: `local` counts this replica, `shared` all replicas through Redis. `fallback`: Redis is configured but unavailable, so that each replica counts for itself.',
  })
  rateLimits: Sharing;
}

/** Liveness (the process responds) and readiness (the service can serve requests). */
@Tag('Health', 'Probes for orchestrators and load balancers.')
@Controller()
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly primary: Primary,
    private readonly buckets: TokenBuckets,
    private readonly draining: Draining,
    private readonly processes: Processes,
  ) {
    processes.answer('readiness', () => this.requireReady().then(() => true));
  }

  @Get('healthz')
  @Public('asked by the orchestrator')
  @Operation('Check that the process responds', 'Whether the process responds. If it does not, restart it.')
  @Answers(HealthResponse)
  getLiveness(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public('asked by the load balancer')
  @Problems('unavailable')
  @Operation(
    'Check that the service can serve',
    'Whether the service can serve requests. If it cannot, send traffic to another replica.',
  )
  @Answers(ReadinessResponse)
  async getReadiness(): Promise<ReadinessResponse> {
    await this.requireReady();
    const others = await this.processes.askOthers<true>('readiness');
    if (others.includes(null))
      throw new AppError('unavailable', {
        detail: 'Another process of this replica is not ready.',
        retryAfterSeconds: 2,
      });
    return { status: 'ok', rateLimits: this.buckets.sharing };
  }

  /**
   * Checks that this process can serve requests.
   * @throws {AppError} unavailable
   */
  private async requireReady(): Promise<void> {
    if (this.draining.active)
      throw new AppError('unavailable', { detail: 'The service is shutting down.', retryAfterSeconds: 5 });
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new AppError('unavailable', { detail: 'The database does not answer.', retryAfterSeconds: 2 }),
          ),
        CHECK_TIMEOUT_MS,
      );
    });
    const usable = Promise.all([this.database.rows('SELECT 1'), this.primary.confirm()]);
    await Promise.race([usable, timeout]).finally(() => clearTimeout(timer));
  }
}
