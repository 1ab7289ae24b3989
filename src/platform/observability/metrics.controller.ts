import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Response } from 'express';
import { SETTINGS, type Settings } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { Public } from '../http/index.js';
import { Metrics } from './metrics.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Prometheus metrics, for whoever holds METRICS_TOKEN; without one they are shown only in development (embedded database). */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Public('scraped by Prometheus, guarded by METRICS_TOKEN')
  async scrape(
    @Headers('authorization') authorization: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const token = this.settings.METRICS_TOKEN?.reveal();
    if (token === undefined && this.settings.DATABASE_URL !== undefined) throw new AppError('not-found');
    if (token !== undefined && !timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`)))
      throw new AppError('not-found');
    response.type(this.metrics.contentType).send(await this.metrics.show());
  }
}
