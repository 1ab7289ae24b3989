import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { LifecycleEvents } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { environmentConnection } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { IdentityRepository } from './identity.repository.js';

/** Adds the external identities of people who are imported from another system. */
@Injectable()
export class IdentityImport {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly providers: ProviderRegistry,
    private readonly audit: AuditTrail,
  ) {}

  @OnLifecycle('account.imported')
  async add({ userId, identities, refusal }: LifecycleEvents['account.imported']): Promise<void> {
    for (const { kind, issuer, subject } of identities) {
      if (!this.isSupported(kind)) throw refusal('identities has a kind that is not known');
      const key = { kind, connectionId: environmentConnection(kind), issuer, subject };
      // The provider is the authority for the address only after it has said so at a sign-in.
      if (!(await this.identities.insert(userId, key, { isAuthority: false, usedAsMember: false })))
        throw refusal('identities has one that belongs to an account already');
      await this.audit.recordForAccount(userId, 'identity-linked');
    }
  }

  private isSupported(kind: string): boolean {
    try {
      return this.providers.getSupported(kind) !== undefined;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }
}
