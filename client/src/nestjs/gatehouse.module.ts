import {
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import {
  ProtectedResource,
  type ProtectedResourceOptions,
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
  /**
   * What the application is to clients, if it is a registered API whose identifier is `audience`:
   * it serves its metadata (RFC 9728), and refusals lead to it.
   */
  readonly resource?: Omit<ProtectedResourceOptions, 'resource' | 'issuer'>;
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
 * Serves the metadata of the API at the path that its identifier gives, to pages of any origin:
 * past the global prefix and the guards of the application.
 */
@Injectable()
class ResourceMetadataRoute implements OnModuleInit {
  constructor(
    @Inject(ProtectedResource) private readonly resource: ProtectedResource,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const { httpAdapter: http } = this.host;
    http.get(this.resource.metadataPath, (_request: unknown, response: unknown) => {
      http.setHeader(response, 'Access-Control-Allow-Origin', '*');
      http.setHeader(response, 'Cache-Control', 'public, max-age=300');
      http.reply(response, this.resource.metadata, 200);
    });
  }
}

/**
 * Guards all routes of a NestJS application in another process than Gatehouse: each requires an
 * access token unless it is `@Public`.
 */
@Module({})
export class GatehouseModule {
  /** @throws {TypeError} without an audience; with `resource`, if it is no address */
  static forRoot({ revocations, resource, ...options }: GatehouseModuleOptions): DynamicModule {
    const {
      issuer,
      audience,
      url,
      maxLifetimeSeconds: seconds,
      clockToleranceSeconds: tolerance = 0,
    } = options;
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
    const api = resource && new ProtectedResource({ ...resource, resource: audience, issuer });
    return {
      module: GatehouseModule,
      global: true,
      providers: [
        { provide: Verifier, useValue: verifier },
        { provide: APP_GUARD, useClass: GatehouseGuard },
        ...(feed ? [{ provide: RevocationFeed, useValue: feed }, FeedLifecycle] : []),
        ...(api ? [{ provide: ProtectedResource, useValue: api }, ResourceMetadataRoute] : []),
      ],
      exports: [Verifier],
    };
  }
}
