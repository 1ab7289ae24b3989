import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { MAX_PROOF_AGE_SECONDS } from '../../kernel/index.js';
import '../authenticator.messages.js';
import { FactorResetRepository, type ResettablePerson } from './factor-reset.repository.js';

/** Decides what operators may do for people. */
@AbilityPolicy({ module: 'platform', entity: 'person', collection: 'people', title: 'scope.person' })
export class PersonPolicy implements EntityPolicy<ResettablePerson> {
  constructor(private readonly resets: FactorResetRepository) {}

  async load(ids: readonly string[], { lock }: LoadContext): Promise<Map<string, ResettablePerson>> {
    if (lock) await this.resets.lockForUpdate(ids);
    const people = await this.resets.findPeople(ids);
    return new Map(people.map((person) => [person.id, person]));
  }

  @Scope('reset-authenticators', {
    title: 'scope.person.reset-authenticators',
    audience: 'operator',
    acr: 'aal2',
    maxAge: MAX_PROOF_AGE_SECONDS,
  })
  resetAuthenticators(person: ResettablePerson): true | Refusal {
    return judgeReset(person);
  }
}

/** Returns whether the second factors of a person can be reset. */
export function judgeReset({ hasSecondFactor, isResetPending }: ResettablePerson): true | Refusal {
  if (!hasSecondFactor) return forbid('person.no-second-factor');
  return !isResetPending || forbid('person.reset-pending');
}
