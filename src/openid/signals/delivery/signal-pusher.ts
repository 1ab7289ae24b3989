import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { KeyDerivation, Sealer } from '../../../platform/crypto/index.js';
import { describeCause } from '../../../platform/errors/index.js';
import { WakingLoop } from '../../../platform/events/index.js';
import { OutboundPost } from '../../../platform/outbound/index.js';
import { SatelliteService } from '../../../satellite/index.js';
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
/** Streams that one replica pushes to at a time: those that hang hold a push for ten seconds. */
const MAX_IN_FLIGHT = 200;

type Fate = 'taken' | 'refused' | 'failed';

/**
 * Pushes security events (RFC 8935), in order and one at a time to each receiver, so that one that
 * hangs delays no other; and to a few of each client, so that one client leaves room. Tries again
 * until the receiver accepts, for a week at most.
 */
@Injectable()
export class SignalPusher implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Signals');
  private readonly sealer: Sealer;
  /** Pushes, with the client to which each goes. */
  private readonly inFlight = new Map<Promise<void>, string>();
  private readonly stopping = new AbortController();
  private readonly loop = new WakingLoop(
    () => this.run(),
    (error) =>
      this.logger.warn({ cause: describeCause(error) }, 'Signals wait: the database did not answer.'),
    POLL_MS,
  );

  constructor(
    keys: KeyDerivation,
    private readonly outbound: OutboundPost,
    private readonly satellites: SatelliteService,
    private readonly streams: SignalStreamRepository,
    private readonly events: SignalEventRepository,
    private readonly tokens: SignalTokens,
    private readonly news: SignalNews,
  ) {
    this.sealer = new Sealer(keys, 'signal-authorization');
  }

  onModuleInit(): void {
    this.news.onAny(() => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Aborts pushes: another replica sends them again. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
    await Promise.all(this.inFlight.keys());
  }

  /** @returns milliseconds until the next look */
  private async run(): Promise<number> {
    const room = MAX_IN_FLIGHT - this.inFlight.size;
    if (room <= 0) return POLL_MS; // the end of a push wakes the loop
    for (const stream of await this.streams.claimDue(room, [...this.inFlight.values()])) {
      const work = this.push(stream)
        .catch((error: unknown) => {
          // The claim returns after its lease.
          this.logger.warn({ cause: describeCause(error) }, 'A signal was not recorded and is sent again.');
        })
        .finally(() => {
          this.inFlight.delete(work);
          this.loop.wake();
        });
      this.inFlight.set(work, stream.clientId);
    }
    return POLL_MS;
  }

  private async push(stream: SignalStream): Promise<void> {
    const client = await this.satellites.findEnabled(stream.clientId);
    const waiting = client ? await this.events.list(stream.id, BATCH) : [];
    for (const event of waiting) {
      const fate = client ? await this.send(stream, await this.tokens.sign(client, event)) : 'failed';
      if (fate === 'failed') {
        await this.streams.release(stream.id, this.delayAfter(stream.attempts));
        return;
      }
      if (fate === 'refused') this.logger.warn({ stream: stream.id, event: event.id }, 'signal refused');
      await this.events.remove(stream.id, [event.id]);
    }
    await this.streams.release(stream.id, client ? null : MAX_DELAY);
  }

  /** @returns seconds; none for a push that the stop of this replica has aborted */
  private delayAfter(attempts: number): number {
    return this.stopping.signal.aborted ? 0 : Math.min(FIRST_DELAY * 2 ** attempts, MAX_DELAY);
  }

  /** A refusal is final (RFC 8935 section 2.3): the same token would be refused again. */
  private async send(stream: SignalStream, token: string): Promise<Fate> {
    const { endpointUrl, sealedAuthorization } = stream;
    const outcome = await this.outbound.post(endpointUrl ?? '', {
      headers: {
        'content-type': 'application/secevent+jwt',
        accept: 'application/json',
        ...(sealedAuthorization !== null && { authorization: this.sealer.open(sealedAuthorization) }),
      },
      body: token,
      timeoutMs: TIMEOUT_MS,
      aborting: this.stopping.signal,
    });
    if ('failure' in outcome) return 'failed';
    if (outcome.status >= 200 && outcome.status < 300) return 'taken';
    return outcome.status === 400 ? 'refused' : 'failed';
  }
}
