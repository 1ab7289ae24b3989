import { Inject } from '@nestjs/common';
import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { judgeReset } from '../../authenticator/index.js';
import { OPERATING, type UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import '../operator.messages.js';
import { PersonRepository, type OperatedPerson } from './person.repository.js';

/** Not for service accounts of the platform: their keys prove no second factor. */
const byPeople = { audience: 'operator', ...OPERATING } as const;
const byAdmins = { ...byPeople, platformAccounts: true } as const;
const bySupport = { ...byAdmins, operators: 'support' } as const;

/** A person, and who calls. */
interface JudgedPerson extends OperatedPerson {
  readonly callerId: UserId;
}

/** Decides what operators may do for people. */
@AbilityPolicy({ module: 'platform', entity: 'person', collection: 'people', title: 'scope.person' })
export class PersonPolicy implements EntityPolicy<JudgedPerson> {
  constructor(
    private readonly people: PersonRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, JudgedPerson>> {
    const people = await this.people.findJudged(ids, principal.userId, lock);
    return new Map(people.map((person) => [person.id, { ...person, callerId: principal.userId }]));
  }

  @Scope('read', { title: 'scope.person.read', ...bySupport })
  read(): true {
    return true;
  }

  /** A suspension by a directory becomes one by an operator, which the directory does not lift. */
  @Scope('suspend', { title: 'scope.person.suspend', ...byAdmins })
  suspend({ isSuspended, isSuspendedByDirectory, isOperator }: OperatedPerson): true | Refusal {
    if (isOperator) return forbid('person.operator');
    return !isSuspended || isSuspendedByDirectory || forbid('person.suspended');
  }

  @Scope('restore', { title: 'scope.person.restore', ...byAdmins })
  restore({ isSuspended }: OperatedPerson): true | Refusal {
    return isSuspended || forbid('person.not-suspended');
  }

  @Scope('end-sessions', { title: 'scope.person.end-sessions', ...bySupport })
  endSessions(): true {
    return true;
  }

  @Scope('send-password-reset', { title: 'scope.person.send-password-reset', ...bySupport })
  sendPasswordReset(person: OperatedPerson): true | Refusal {
    return judgeMail(person);
  }

  @Scope('require-new-password', { title: 'scope.person.require-new-password', ...byAdmins })
  requireNewPassword(person: OperatedPerson): true | Refusal {
    return person.hasPassword ? judgeMail(person) : forbid('person.no-password');
  }

  @Scope('reset-authenticators', { title: 'scope.person.reset-authenticators', ...byAdmins })
  resetAuthenticators(person: OperatedPerson): true | Refusal {
    return judgeReset(person);
  }

  /** By people alone: it cannot be undone, and an operator may hold the key of a program. */
  @Scope('erase', { title: 'scope.person.erase', ...byPeople })
  erase({ isOperator, erasureRequestedBy, callerId, isCallerTrusted }: JudgedPerson): true | Refusal {
    if (isOperator) return forbid('person.operator');
    if (this.settings.OPERATOR_FOUR_EYES === 'off') return true;
    if (erasureRequestedBy === callerId) return forbid('person.erasure-requested');
    return isCallerTrusted || forbid('person.appointed-lately');
  }

  @Scope('keep', { title: 'scope.person.keep', ...byAdmins })
  keep({ erasureRequestedBy }: OperatedPerson): true | Refusal {
    return erasureRequestedBy !== null || forbid('person.no-erasure');
  }

  /** A suspended person could not sign in to open it. */
  @Scope('export', { title: 'scope.person.export', ...byAdmins })
  export(person: OperatedPerson): true | Refusal {
    return judgeMail(person);
  }

  @Scope('resend-mail', { title: 'scope.person.resend-mail', ...bySupport })
  resendMail(person: OperatedPerson): true | Refusal {
    return judgeMail(person);
  }
}

/** A mail goes to an address, and its link is of no use to a suspended account. */
function judgeMail({ hasAddress, isSuspended }: OperatedPerson): true | Refusal {
  if (!hasAddress) return forbid('person.no-address');
  return !isSuspended || forbid('person.suspended');
}
