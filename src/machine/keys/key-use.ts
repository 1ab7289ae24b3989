import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { describeCause } from '../../platform/errors/index.js';
import { RecentlyUsed } from '../../platform/memory/index.js';
import { PlatformAccountRepository } from '../platform/platform-account.repository.js';
import { CredentialRepository, type Use } from './credential.repository.js';

/** A use of a key of the platform. */
type PlatformUse = Pick<Use, 'ownerId' | 'id'> & { readonly tenantId: null };

/** Milliseconds. A use of a credential is not written again within this time. */
const PRECISION_MS = 60_000;
/** Milliseconds. Uses are written together, not each by a statement. */
const FLUSH_MS = 1_000;
/** Credentials that are remembered, more than are cached. */
const MAX_REMEMBERED = 40_000;

/** Notes when credentials were last used, in the background and at most once a minute each. */
@Injectable()
export class KeyUse implements OnApplicationShutdown {
  private readonly logger = new Logger('KeyUse');
  /** Time of the last note, by credential. */
  private readonly noted = new RecentlyUsed<number>(2 * PRECISION_MS, MAX_REMEMBERED);
  private pending = new Map<string, Use | PlatformUse>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly credentials: CredentialRepository,
    private readonly platform: PlatformAccountRepository,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.flush().catch(this.report);
  }

  note(use: Use | PlatformUse): void {
    const now = Date.now();
    const last = this.noted.get(use.id);
    if (last !== undefined && now - last < PRECISION_MS) return;
    this.noted.set(use.id, now);
    this.pending.set(use.id, use);
    this.timer ??= setTimeout(() => {
      this.flush().catch(this.report);
    }, FLUSH_MS).unref();
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = [...this.pending.values()];
    this.pending = new Map();
    const ofTenants = uses.filter((use) => use.tenantId !== null);
    const ofPlatform = uses.filter((use) => use.tenantId === null);
    if (ofTenants.length > 0) await this.credentials.noteUses(ofTenants);
    if (ofPlatform.length > 0) await this.platform.noteUses(ofPlatform.map(({ id }) => id));
  }

  private readonly report = (error: unknown): void => {
    this.logger.warn({ cause: describeCause(error) }, 'The last use of credentials was not written.');
  };
}
