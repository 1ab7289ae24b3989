import { Injectable } from '@nestjs/common';
import { AuditTrail, namesOfGiven } from '../../iam/index.js';
import type { Locked, Principal, TenantId } from '../../kernel/index.js';
import { CredentialRepository } from '../keys/credential.repository.js';
import { KeyIssuer } from '../keys/key-issuer.js';
import type { KeyPolicyDto } from './key-policy.dto.js';
import { type KeyPolicy, KeyPolicyRepository } from './key-policy.repository.js';

/** Reads and sets what an organization asks of keys. The caller has checked the permission. */
@Injectable()
export class KeyPolicyService {
  constructor(
    private readonly policies: KeyPolicyRepository,
    private readonly credentials: CredentialRepository,
    private readonly issuer: KeyIssuer,
    private readonly audit: AuditTrail,
  ) {}

  get(tenantId: TenantId): Promise<KeyPolicy> {
    return this.policies.get(tenantId);
  }

  /**
   * Sets a policy, whose other fields stay as they are. Revokes the keys of members if they may no
   * longer have any; the lifetime counts for new keys.
   */
  async set({ userId }: Principal, tenantId: Locked<TenantId>, changes: KeyPolicyDto): Promise<KeyPolicy> {
    const current = await this.policies.get(tenantId);
    const { personalKeys = current.personalKeys, maxLifetimeDays = current.maxLifetimeDays } = changes;
    const policy = { personalKeys, maxLifetimeDays };
    await this.policies.set(tenantId, policy);
    await this.audit.record({
      actorId: userId,
      tenantId,
      action: 'key-policy.changed',
      subject: `iam/key-policies/${tenantId}`,
      changed: namesOfGiven(changes),
    });
    if (!personalKeys) await this.issuer.recordEnded(userId, await this.credentials.endPersonalOf(tenantId));
    return policy;
  }
}
