import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { hash, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { isLocalDevelopment, type Settings, SETTINGS } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { isFromOwnMachine } from '../web/index.js';
import { ApiExcludeController, Public } from '../api/index.js';
import { Metrics } from './metrics.js';

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
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Public('scraped by Prometheus, guarded by METRICS_TOKEN')
  async scrape(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.#isOpenTo(request)) throw new AppError('not-found');
    response.type(this.metrics.contentType).send(await this.metrics.show());
  }

  #isOpenTo(request: Request): boolean {
    const token = this.settings.METRICS_TOKEN?.reveal();
    if (token === undefined) return isLocalDevelopment(this.settings) && isFromOwnMachine(request);
    return timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${token}`));
  }
}
