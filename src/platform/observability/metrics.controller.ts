import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { hash, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { isLocalDevelopment, type Settings, SETTINGS } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { isFromOwnMachine } from '../web/index.js';
import { ApiExcludeController, Public } from '../api/index.js';
import { Processes } from '../processes/index.js';
import { type Exported, Metrics } from './metrics.js';

const digest = (text: string) => hash('sha256', text, 'buffer');

/**
 * Serves the Prometheus metrics to callers with METRICS_TOKEN. Without that setting, only in local
 * development and to programs on the same machine.
 */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly processes: Processes,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    processes.answer('metrics', () => metrics.export(processes.number));
  }

  @Get()
  @Public('scraped by Prometheus, guarded by METRICS_TOKEN')
  async scrape(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.#isOpenTo(request)) throw new AppError('not-found');
    response.type(this.metrics.contentType).send(await this.#show());
  }

  /** Shows the metrics of the whole replica. */
  async #show(): Promise<string> {
    const { metrics, processes } = this;
    if (!processes.parent) return metrics.show();
    const [own, others] = await Promise.all([
      metrics.export(processes.number),
      processes.askOthers<Exported>('metrics'),
    ]);
    return metrics.showTogether([own, ...others.filter((exported) => exported !== null)]);
  }

  #isOpenTo(request: Request): boolean {
    const token = this.settings.METRICS_TOKEN?.reveal();
    if (token === undefined) return isLocalDevelopment(this.settings) && isFromOwnMachine(request);
    return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`));
  }
}
