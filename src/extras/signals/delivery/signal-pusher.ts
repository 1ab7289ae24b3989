import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { DeliveryEngine, type Receiver } from '../../../platform/delivery/index.js';
import { OutboundPost } from '../../../platform/outbound/index.js';
import { ClientService } from '../../../client/index.js';
import { SignalEventRepository } from '../events/signal-event.repository.js';
import { type SignalStream, SignalStreamRepository } from '../streams/signal-stream.repository.js';
import { SignalNews } from './signal-news.js';
import { SignalTokens } from './signal-tokens.js';

/** Interval at which retries are looked for, and events of other processes. */
const POLL_MS = 1_000;
/** Pushes of one claim, whose time together is within the lease. */
const BATCH = 10;
const TIMEOUT_MS = 10_000;
/** Delay after the first failure, in seconds; each further one doubles it. */
const FIRST_DELAY = 2;
const MAX_DELAY = 600;
/**
 * Streams that one replica pushes to at a time. One push to each, in order; and a few streams of
 * each client, so that a client whose streams hang leaves room.
 */
const LIMITS = { total: 200, untried: 200, failing: 200, each: 1, ofGroup: 5 };

type StreamReceiver = Pick<SignalStream, 'id' | 'clientId'> & Receiver;
type Fate = 'taken' | 'refused' | 'failed';

/**
 * Pushes security events (RFC 8935) by the engine of deliveries (ADR 40), in order, one at a time
 * to each receiver. Tries again until the receiver accepts, for a week at most.
 */
@Injectable()
export class SignalPusher implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Signals');
  private readonly sealer: Sealer;
  private readonly engine = new DeliveryEngine<StreamReceiver, SignalStream & Receiver>({
    name: 'Signals',
    limits: LIMITS,
    scanMs: POLL_MS,
    list: async (after, limit) =>
      (await this.streams.listDue(after?.id ?? '', limit)).map((row) => ({
        ...toReceiver(row),
        isDue: true,
      })),
    claim: async (targets, { total }) => {
      const ids = targets.map(({ id }) => id);
      return (await this.streams.claim(ids, total)).map(toReceiver);
    },
    send: (stream, aborting) => this.push(stream, aborting),
  });

  constructor(
    keys: KeyDerivation,
    private readonly outbound: OutboundPost,
    private readonly clients: ClientService,
    private readonly streams: SignalStreamRepository,
    private readonly events: SignalEventRepository,
    private readonly tokens: SignalTokens,
    private readonly news: SignalNews,
  ) {
    this.sealer = new Sealer(keys, 'signal-authorization');
  }

  onModuleInit(): void {
    this.news.onAny(() => this.engine.scanAll());
  }

  onApplicationBootstrap(): void {
    this.engine.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.engine.stop();
  }

  /** Pushes the next events of a stream. @returns whether the receiver took or refused them all */
  private async push(stream: SignalStream, aborting: AbortSignal): Promise<boolean> {
    const client = await this.clients.findEnabled(stream.clientId);
    const waiting = client ? await this.events.list(stream.id, BATCH) : [];
    for (const event of waiting) {
      const fate = client
        ? await this.send(stream, await this.tokens.sign(client, event), aborting)
        : 'failed';
      if (fate === 'failed') {
        await this.postpone(stream, aborting);
        return false;
      }
      if (fate === 'refused') this.logger.warn({ stream: stream.id, event: event.id }, 'signal refused');
      await this.events.remove(stream.id, [event.id]);
    }
    await this.streams.release(stream.id, 0, client ? 0 : MAX_DELAY);
    return client !== null;
  }

  /** Ends the claim of a push that failed. One that the stop has aborted is no attempt. */
  private async postpone({ id, attempts }: SignalStream, { aborted }: AbortSignal): Promise<void> {
    const delay = Math.min(FIRST_DELAY * 2 ** attempts, MAX_DELAY);
    await this.streams.release(id, aborted ? attempts : attempts + 1, aborted ? 0 : delay);
  }

  /** A refusal is final (RFC 8935 section 2.3): the same token would be refused again. */
  private async send(stream: SignalStream, token: string, aborting: AbortSignal): Promise<Fate> {
    const { endpointUrl, sealedAuthorization } = stream;
    const outcome = await this.outbound.post(endpointUrl ?? '', {
      headers: {
        'content-type': 'application/secevent+jwt',
        accept: 'application/json',
        ...(sealedAuthorization !== null && { authorization: this.sealer.open(sealedAuthorization) }),
      },
      body: token,
      timeoutMs: TIMEOUT_MS,
      aborting,
    });
    if ('failure' in outcome) return 'failed';
    if (outcome.status >= 200 && outcome.status < 300) return 'taken';
    return outcome.status === 400 ? 'refused' : 'failed';
  }
}

const toReceiver = <R extends Pick<SignalStream, 'id' | 'clientId'>>(row: R): R & Receiver => ({
  ...row,
  key: row.id,
  group: row.clientId,
});
