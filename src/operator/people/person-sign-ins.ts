import { Injectable } from '@nestjs/common';
import { FactorResetService, type OwnFactors, OwnMethods } from '../../authenticator/index.js';
import { type Identity, IdentityService } from '../../external-identity/index.js';
import type { UserId } from '../../kernel/index.js';
import { SessionService, type SessionSummary } from '../../session/index.js';

/** How a person signs in, and where they are signed in. */
export interface SignIns {
  readonly sessions: readonly SessionSummary[];
  readonly identities: readonly Identity[];
  readonly factors: OwnFactors['methods'];
  /** When the second factors will be removed; null without a reset. */
  readonly resetAt: Date | null;
}

/** Reads how people sign in. */
@Injectable()
export class PersonSignIns {
  constructor(
    private readonly sessions: SessionService,
    private readonly identities: IdentityService,
    private readonly methods: OwnMethods,
    private readonly resets: FactorResetService,
  ) {}

  /** @param limit maximum number of sessions, and of identities */
  async find(id: UserId, limit: number): Promise<SignIns> {
    const page = { limit, after: null };
    const [sessions, identities, factors, reset] = await Promise.all([
      this.sessions.list(id, page, null),
      this.identities.list(id, page),
      this.methods.findFactors(id, 'all'),
      this.resets.findPending(id),
    ]);
    return {
      sessions: sessions.slice(0, limit),
      identities: identities.slice(0, limit),
      factors: factors.methods,
      resetAt: reset?.effectiveAt ?? null,
    };
  }
}
