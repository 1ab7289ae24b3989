import { Inject, Injectable } from '@nestjs/common';
import { ErasureService } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { type ErasureRequest, ErasureRequestRepository } from './erasure-request.repository.js';
import { PersonTrail } from './person-trail.js';

/**
 * Erases accounts for operators, and records it in the trail of the operator. The policy has locked
 * the account and decided.
 */
@Injectable()
export class PersonErasure {
  constructor(
    private readonly requests: ErasureRequestRepository,
    private readonly erasures: ErasureService,
    private readonly trail: PersonTrail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Erases an account. With `OPERATOR_FOUR_EYES` the first operator asks for it, and another one,
   * who does the same within 24 hours, erases it.
   * @returns the request that waits for a second operator; null if the account is erased
   */
  async erase(callerId: UserId, id: UserId): Promise<ErasureRequest | null> {
    if (this.settings.OPERATOR_FOUR_EYES === 'on' && !(await this.requests.find(id)))
      return this.trail.act(callerId, id, 'erasure-requested', () => this.requests.insert(id, callerId));
    await this.trail.act(callerId, id, 'erased', () => this.erasures.erase(id));
    return null;
  }

  /** Withdraws the request to erase an account, of whichever operator. */
  keep(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'erasure-withdrawn', () => this.requests.remove({ userId: id }));
  }
}
