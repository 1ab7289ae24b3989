import {
  AbilityPolicy,
  BY_OPERATORS,
  type EntityPolicy,
  forbid,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { ImpersonationService, type JudgedImpersonation } from '../../session/index.js';
import '../operator.messages.js';

/** Decides whether operators may act as people. Whom they may act as, the start decides. */
@AbilityPolicy({ module: 'platform', entity: 'impersonation', collection: 'impersonations' })
@Scope('start', { ...BY_OPERATORS })
export class ImpersonationPolicy implements EntityPolicy<JudgedImpersonation> {
  constructor(private readonly impersonations: ImpersonationService) {}

  async load(ids: readonly string[]): Promise<Map<string, JudgedImpersonation>> {
    const found = await this.impersonations.findJudged(ids);
    return new Map(found.map((impersonation) => [impersonation.id, impersonation]));
  }

  @Scope('end', { ...BY_OPERATORS })
  end({ isAlive }: JudgedImpersonation): true | Refusal {
    return isAlive || forbid('impersonation.ended');
  }
}
