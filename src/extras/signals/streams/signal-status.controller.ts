import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Answers, Operation, QueryOf } from '../../../platform/api/index.js';
import { SignalClients } from '../signal-clients.js';
import { ByReceiver, SignalsTag } from '../signals.declarations.js';
import {
  NamedStreamQueryDto,
  StreamStatusResponse,
  UpdateStatusDto,
  VerifyDto,
} from './signal-stream.dto.js';
import { SignalStreamService } from './signal-stream.service.js';

/** Status and verification of streams (SSF 1.0 sections 8.1.2 and 8.1.4). */
@SignalsTag()
@Controller('api/v1/signals')
export class SignalStatusController {
  constructor(
    private readonly clients: SignalClients,
    private readonly streams: SignalStreamService,
  ) {}

  @Get('status')
  @ByReceiver('not-found')
  @Operation('Get the status of a stream')
  @Answers(StreamStatusResponse)
  async getSignalStreamStatus(
    @Req() request: Request,
    @QueryOf(NamedStreamQueryDto) { stream_id: id }: NamedStreamQueryDto,
  ) {
    const { clientId } = await this.clients.require(request);
    return StreamStatusResponse.from(await this.streams.get(clientId, id));
  }

  @Post('status')
  @ByReceiver('not-found')
  @Operation(
    'Enable, pause or disable a stream',
    'A paused stream holds its events. A disabled one loses them.',
  )
  @Answers(StreamStatusResponse)
  async updateSignalStreamStatus(
    @Req() request: Request,
    @Body() { stream_id: id, status, reason }: UpdateStatusDto,
  ) {
    const client = await this.clients.require(request);
    return StreamStatusResponse.from(await this.streams.setStatus(client, id, status, reason ?? null));
  }

  @Post('verification')
  @ByReceiver('not-found', 'too-many-requests')
  @HttpCode(204)
  @Operation('Ask for a verification event', 'The event comes by the stream, with `state`.')
  async verifySignalStream(
    @Req() request: Request,
    @Body() { stream_id: id, state }: VerifyDto,
  ): Promise<void> {
    await this.streams.verify(await this.clients.require(request), id, state);
  }
}
