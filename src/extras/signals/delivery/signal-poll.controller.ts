import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  Answers,
  ApiParam,
  CountsAsRead,
  type Field,
  Input,
  Operation,
  Output,
  Problems,
  Public,
} from '../../../platform/api/index.js';
import { isObject, ULID_PATTERN } from '../../../kernel/index.js';
import { callerGone } from '../../../platform/web/index.js';
import { SignalClients } from '../signal-clients.js';
import { SignalsTag } from '../signals.declarations.js';
import { MAX_POLLED, SignalPollService } from './signal-poll.service.js';

/** Ids of one request, acknowledged or refused. */
const MAX_DONE = 1_000;

const ERRORS: Field = {
  schema: {
    type: 'object',
    additionalProperties: true,
    description: 'Errors by the ids (`jti`) of events that the receiver refuses. They are not sent again.',
    example: {},
  },
  checks: [
    {
      name: 'errors',
      message: `must be an object of at most ${MAX_DONE} ids`,
      test: (value) => isObject(value) && Object.keys(value).length <= MAX_DONE,
    },
  ],
};

class PollDto {
  @Input.integer({
    optional: true,
    min: 0,
    max: 1_000_000,
    example: MAX_POLLED,
    description: `At most ${MAX_POLLED} are returned. 0 only acknowledges.`,
  })
  maxEvents?: number;

  @Input.boolean({ optional: true, example: false, description: 'Whether not to wait for an event.' })
  returnImmediately?: boolean;

  @Input.list({
    optional: true,
    max: MAX_DONE,
    pattern: /^[\w-]{1,64}$/,
    itemMax: 64,
    example: ['01K3V9D7Q8Z4X5N6M7P8R9S0T0'],
    description: 'Ids (`jti`) of events that the receiver has.',
  })
  ack?: string[];

  @Input(ERRORS, { optional: true })
  setErrs?: Readonly<Record<string, unknown>>;
}

class PollResponse {
  @Output({
    schema: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 8_192, pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$' },
      description: 'Security event tokens by their id (`jti`).',
      example: {},
    },
  })
  sets: Readonly<Record<string, string>>;
  @Output.boolean({ example: false })
  moreAvailable: boolean;
}

/** The endpoint of streams that are polled (RFC 8936). */
@SignalsTag()
@Controller('api/v1/signals/streams/:streamId/events')
export class SignalPollController {
  constructor(
    private readonly clients: SignalClients,
    private readonly polls: SignalPollService,
  ) {}

  @Post()
  @Public('the client authenticates itself')
  @CountsAsRead()
  @Problems('invalid-client', 'not-found')
  @ApiParam({
    name: 'streamId',
    description: 'Id of the stream.',
    schema: {
      type: 'string',
      minLength: 26,
      maxLength: 26,
      pattern: ULID_PATTERN,
      examples: ['01K3V9D7Q8Z4X5N6M7P8R9S0T0'],
    },
  })
  @Operation(
    'Poll a stream of security events',
    'RFC 8936. Returns what waits, again until it is acknowledged (`ack`) or refused (`setErrs`). Without events, waits 20 seconds for one, unless `returnImmediately` is true.',
  )
  @Answers(PollResponse)
  async pollSignals(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Param('streamId') streamId: string,
    @Body() { maxEvents = MAX_POLLED, returnImmediately = false, ack = [], setErrs = {} }: PollDto,
  ): Promise<PollResponse> {
    const client = await this.clients.require(request);
    const done = [...ack, ...Object.keys(setErrs)];
    const poll = { maxEvents: Math.min(maxEvents, MAX_POLLED), returnImmediately, done };
    return this.polls.poll(client, streamId, poll, callerGone(response));
  }
}
