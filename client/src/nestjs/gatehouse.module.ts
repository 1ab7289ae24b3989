import {
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import {
  RevocationFeed,
  type RevocationFeedOptions,
  Verifier,
  type VerifierOptions,
} from '../verifier/index.js';
import { GatehouseGuard } from './gatehouse.guard.js';

/** Options of the verifier, and whether it learns of ended sessions. */
export interface GatehouseModuleOptions extends VerifierOptions {
  /** Credentials of a client of the operator, by which the application learns of ended sessions. */
  readonly revocations?: Omit<RevocationFeedOptions, 'issuer' | 'url'>;
}

/** Time for which the start waits for the feed, and then goes on without it. */
const CONNECT_MS = 5_000;
const MAX_CLOCK_SKEW_SECONDS = 60;

/** Starts and stops the feed of revocations with the application. */
@Injectable()
class FeedLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(@Inject(RevocationFeed) private readonly feed: RevocationFeed) {}

  async onApplicationBootstrap(): Promise<void> {
    this.feed.start();
    await this.feed.connected(CONNECT_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.feed.stop();
  }
}

/**
 * Guards all routes of a NestJS application in another process than Gatehouse: each requires an
 * access token unless it is `@Public`.
 */
@Module({})
export class GatehouseModule {
  static forRoot({ revocations, ...options }: GatehouseModuleOptions): DynamicModule {
    const { issuer, url, maxLifetimeSeconds: seconds, clockToleranceSeconds: tolerance = 0 } = options;
    const feed =
      revocations &&
      new RevocationFeed({
        issuer,
        ...(url !== undefined && { url }),
        // As long as a token of the session can be accepted.
        ...(seconds !== undefined && { rememberSeconds: seconds + tolerance + MAX_CLOCK_SKEW_SECONDS }),
        ...revocations,
      });
    const verifier = new Verifier({ ...options, ...(feed && { revocationFeed: feed }) });
    return {
      module: GatehouseModule,
      global: true,
      providers: [
        { provide: Verifier, useValue: verifier },
        { provide: APP_GUARD, useClass: GatehouseGuard },
        ...(feed ? [{ provide: RevocationFeed, useValue: feed }, FeedLifecycle] : []),
      ],
      exports: [Verifier],
    };
  }
}
