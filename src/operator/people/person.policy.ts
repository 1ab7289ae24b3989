import { Inject } from '@nestjs/common';
import {
  AbilityPolicy,
  BY_ADMINS,
  BY_OPERATORS,
  BY_SUPPORT,
  CallerScopes,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { judgeReset } from '../../authenticator/index.js';
import type { OperatorRights, UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import '../operator.messages.js';
import { PersonRepository, type OperatedPerson } from './person.repository.js';

/** A person, and who calls. */
interface JudgedPerson extends OperatedPerson {
  readonly callerId: UserId;
  /** Whether the person is an operator with a scope that the caller does not hold. */
  readonly exceedsCaller: boolean;
}

/**
 * Decides what operators may do for people. An operator who holds more than the caller is only
 * read: all else would let the caller lock out or take over the operators who appointed them.
 */
@AbilityPolicy({ module: 'platform', entity: 'person', collection: 'people' })
@Scope('read', { ...BY_SUPPORT })
export class PersonPolicy implements EntityPolicy<JudgedPerson> {
  constructor(
    private readonly people: PersonRepository,
    private readonly callers: CallerScopes,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, JudgedPerson>> {
    const callerId = principal.userId;
    if (lock) await this.people.lockForUpdate(ids);
    const people = await this.people.findJudged(ids, callerId);
    const holdsMore = await this.callers.createOperatorComparison(principal, lock);
    return new Map(
      people.map((person) => {
        const rights = rightsOf(person);
        return [person.id, { ...person, callerId, exceedsCaller: rights !== null && holdsMore(rights) }];
      }),
    );
  }

  /** A suspension by a directory becomes one by an operator, which the directory does not lift. */
  @Scope('suspend', { ...BY_ADMINS })
  suspend({ isSuspended, isSuspendedByDirectory, operatorRole }: JudgedPerson): true | Refusal {
    if (operatorRole !== null) return forbid('person.operator');
    return !isSuspended || isSuspendedByDirectory || forbid('person.suspended');
  }

  @Scope('restore', { ...BY_ADMINS })
  restore(person: JudgedPerson): true | Refusal {
    return findExcess(person) ?? (person.isSuspended || forbid('person.not-suspended'));
  }

  @Scope('end-sessions', { ...BY_SUPPORT })
  endSessions(person: JudgedPerson): true | Refusal {
    return findExcess(person) ?? true;
  }

  @Scope('send-password-reset', { ...BY_SUPPORT })
  sendPasswordReset(person: JudgedPerson): true | Refusal {
    return judgeMail(person);
  }

  @Scope('require-new-password', { ...BY_ADMINS })
  requireNewPassword(person: JudgedPerson): true | Refusal {
    const excess = findExcess(person);
    if (excess) return excess;
    return person.hasPassword ? judgeMail(person) : forbid('person.no-password');
  }

  @Scope('reset-authenticators', { ...BY_ADMINS })
  resetAuthenticators(person: JudgedPerson): true | Refusal {
    return findExcess(person) ?? judgeReset(person);
  }

  /** By support too: the person keeps what they have. */
  @Scope('keep-authenticators', { ...BY_SUPPORT })
  keepAuthenticators(person: JudgedPerson): true | Refusal {
    return findExcess(person) ?? (person.isResetPending || forbid('person.no-reset'));
  }

  /** Only by people: it cannot be undone, and an operator may hold the key of a program. */
  @Scope('erase', { ...BY_OPERATORS })
  erase({ operatorRole, erasureRequestedBy, callerId, isCallerTrusted }: JudgedPerson): true | Refusal {
    if (operatorRole !== null) return forbid('person.operator');
    if (this.settings.OPERATOR_FOUR_EYES === 'off') return true;
    if (erasureRequestedBy === callerId) return forbid('person.erasure-requested');
    return isCallerTrusted || forbid('person.appointed-lately');
  }

  @Scope('keep', { ...BY_ADMINS })
  keep(person: JudgedPerson): true | Refusal {
    return findExcess(person) ?? (person.erasureRequestedBy !== null || forbid('person.no-erasure'));
  }

  /** A suspended person could not sign in to open it. */
  @Scope('export', { ...BY_ADMINS })
  export(person: JudgedPerson): true | Refusal {
    return judgeMail(person);
  }

  @Scope('resend-mail', { ...BY_SUPPORT })
  resendMail(person: JudgedPerson): true | Refusal {
    return judgeMail(person);
  }
}

const rightsOf = ({ operatorRole: role, operatorScopes: scopes }: OperatedPerson): OperatorRights | null =>
  role && { role, scopes: scopes && new Set(scopes) };

/** Returns the refusal for an operator who holds more than the caller; null for everyone else. */
function findExcess({ exceedsCaller }: JudgedPerson): Refusal | null {
  return exceedsCaller ? forbid('person.exceeds-caller') : null;
}

/** A mail goes to an address, and its link is of no use to a suspended account. */
function judgeMail(person: JudgedPerson): true | Refusal {
  const excess = findExcess(person);
  if (excess) return excess;
  if (!person.hasAddress) return forbid('person.no-address');
  return !person.isSuspended || forbid('person.suspended');
}
