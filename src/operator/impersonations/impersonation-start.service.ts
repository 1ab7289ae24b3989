import { Injectable } from '@nestjs/common';
import { denialError, denyByState, forbid, type Refusal } from '../../ability/index.js';
import { MembershipDirectory, SupportAccessService } from '../../iam/index.js';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type ActingToken, ImpersonationService } from '../../session/index.js';
import '../operator.messages.js';
import { PersonRepository } from '../people/person.repository.js';

interface Asked {
  readonly operatorId: UserId;
  readonly operatorSessionId: SessionId;
  readonly userId: UserId;
  readonly tenantId: TenantId;
  readonly reason: string;
  readonly ticket: string | null;
}

/** Decides whom an operator may act as. */
@Injectable()
export class ImpersonationStart {
  constructor(
    private readonly people: PersonRepository,
    private readonly directory: MembershipDirectory,
    private readonly access: SupportAccessService,
    private readonly impersonations: ImpersonationService,
  ) {}

  /**
   * Starts a session as the person. Joins the transaction of the command, and locks the account and
   * the organization, so that neither can take back what is checked here before it has committed.
   * @throws {AppError} not-found for an unknown person; forbidden for an operator, a suspended
   *   person, and an organization that does not let support in; validation-error if the person is
   *   no member of it
   */
  async start(asked: Asked): Promise<ActingToken> {
    const { userId, tenantId, operatorId } = asked;
    const [locked] = await this.people.lockForUpdate([userId]);
    const [person] = await this.people.findJudged([userId], operatorId);
    if (!locked || !person) throw new AppError('not-found');
    // An operator would lend rights that the organization does not know of.
    if (person.operatorRole !== null) throw refused(forbid('person.operator'));
    if (person.isSuspended) throw refused(forbid('person.suspended'));
    const permission = await this.access.findPermissionForShare(tenantId);
    if (!permission) throw refused(forbid('impersonation.not-allowed'));
    if (!(await this.directory.isMemberUncached(userId, tenantId)))
      throw AppError.violation('tenantId', 'is not an organization of this person');
    return this.impersonations.start({ ...asked, userId: locked }, permission.until);
  }
}

const refused = (reason: Refusal): AppError => denialError(denyByState(reason));
