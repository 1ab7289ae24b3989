import { Body, Controller, Delete, Get, HttpCode, Inject, Patch, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  Answers,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiOkResponse,
  Operation,
  QueryOf,
  schemaOf,
} from '../../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { SignalClients } from '../signal-clients.js';
import { ByReceiver, SignalsTag } from '../signals.declarations.js';
import {
  CreateStreamDto,
  NamedStreamQueryDto,
  StreamQueryDto,
  StreamResponse,
  UpdateStreamDto,
} from './signal-stream.dto.js';
import { SignalStreamService } from './signal-stream.service.js';

/** A client has at most 20. */
const MAX_LISTED = 20;

/** Lets clients manage their streams of security events (SSF 1.0 section 8.1.1). */
@SignalsTag()
@ApiExtraModels(StreamResponse)
@Controller('api/v1/signals/streams')
export class SignalStreamController {
  constructor(
    private readonly clients: SignalClients,
    private readonly streams: SignalStreamService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Post()
  @ByReceiver('conflict')
  @Operation(
    'Create a stream of security events',
    'For a client with a secret, by HTTP Basic. Without `delivery`, the stream is polled. Begins with the sessions that ended during the lifetime of an access token.',
  )
  @ApiCreatedResponse({ type: StreamResponse })
  async createSignalStream(@Req() request: Request, @Body() body: CreateStreamDto): Promise<StreamResponse> {
    const client = await this.clients.require(request);
    return this.show(await this.streams.create(client, body));
  }

  @Get()
  @ByReceiver('not-found')
  @Operation('Get your streams of security events', 'A list; with `stream_id`, that stream alone.')
  @ApiOkResponse({
    schema: {
      oneOf: [
        { $ref: schemaOf(StreamResponse) },
        { type: 'array', maxItems: MAX_LISTED, items: { $ref: schemaOf(StreamResponse) } },
      ],
    },
  })
  async getSignalStreams(
    @Req() request: Request,
    @QueryOf(StreamQueryDto) { stream_id: id }: StreamQueryDto,
  ): Promise<StreamResponse | StreamResponse[]> {
    const client = await this.clients.require(request);
    if (id !== undefined) return this.show(await this.streams.get(client.clientId, id));
    return (await this.streams.list(client)).map((stream) => this.show(stream));
  }

  @Patch()
  @ByReceiver('not-found')
  @Operation('Change a stream of security events', 'Omitted fields do not change.')
  @Answers(StreamResponse)
  async updateSignalStream(@Req() request: Request, @Body() { stream_id: id, ...body }: UpdateStreamDto) {
    const client = await this.clients.require(request);
    return this.show(await this.streams.update(client, id, body));
  }

  @Put()
  @ByReceiver('not-found')
  @Operation(
    'Replace a stream of security events',
    'Omitted fields get the values that they have in a new stream.',
  )
  @Answers(StreamResponse)
  async replaceSignalStream(@Req() request: Request, @Body() { stream_id: id, ...body }: UpdateStreamDto) {
    const client = await this.clients.require(request);
    return this.show(await this.streams.replace(client, id, body));
  }

  @Delete()
  @ByReceiver('not-found')
  @HttpCode(204)
  @Operation('Delete a stream of security events', 'With the events that wait in it.')
  async deleteSignalStream(
    @Req() request: Request,
    @QueryOf(NamedStreamQueryDto) { stream_id: id }: NamedStreamQueryDto,
  ): Promise<void> {
    await this.streams.delete(await this.clients.require(request), id);
  }

  private show(stream: Parameters<typeof StreamResponse.from>[0]): StreamResponse {
    return StreamResponse.from(stream, this.settings.PUBLIC_URL);
  }
}
