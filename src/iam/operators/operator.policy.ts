import {
  AbilityPolicy,
  BY_OPERATORS,
  type EntityPolicy,
  forbid,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { type JudgedOperator, OperatorRepository } from './operator.repository.js';
import './operator.messages.js';

/** Decides what operators may do with operators. */
@AbilityPolicy({ module: 'platform', entity: 'operator', collection: 'operators' })
@Scope('read', { ...BY_OPERATORS, operators: 'support' })
@Scope('create', { ...BY_OPERATORS })
export class OperatorPolicy implements EntityPolicy<JudgedOperator> {
  constructor(private readonly operators: OperatorRepository) {}

  /** Locks the admins: of two who remove each other at once, the later one finds the last admin. */
  lock(): Promise<void> {
    return this.operators.lockAdminsForUpdate();
  }

  async load(ids: readonly string[]): Promise<Map<string, JudgedOperator>> {
    const found = await this.operators.findJudged(ids);
    return new Map(found.map((operator) => [operator.id, operator]));
  }

  @Scope('update', { ...BY_OPERATORS })
  update({ isLastAdmin }: JudgedOperator): true | Refusal {
    return !isLastAdmin || forbid('operator.last-admin');
  }

  @Scope('remove', { ...BY_OPERATORS })
  remove({ isLastAdmin }: JudgedOperator): true | Refusal {
    return !isLastAdmin || forbid('operator.last-admin');
  }
}
