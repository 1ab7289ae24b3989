import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Page, Principal, UserId } from '../../platform/http/index.js';
import { SessionService } from '../../session/index.js';
import { ExternalCodeService } from '../flow/code.service.js';
import { SIGN_IN_ERRORS } from '../flow/sign-in-error.js';
import { StartService, type StartedFlow, type StartRequest } from '../flow/start.service.js';
import { IdentityRepository, type Identity } from './identity.repository.js';

/** Who has just signed in is the owner and not somebody at an unattended screen. */
const RECENT_SECONDS = 600;

/** "My identities". */
@Injectable()
export class IdentityService {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly starts: StartService,
    private readonly codes: ExternalCodeService,
    private readonly sessions: SessionService,
    private readonly audit: AuditTrail,
  ) {}

  list(userId: UserId, page: Page): Promise<Identity[]> {
    return this.identities.listOf(userId, page);
  }

  /** @throws {AppError} forbidden where the sign-in is not recent */
  async startLink(
    caller: Principal,
    kind: string,
    request: Pick<StartRequest, 'returnUri' | 'browser'>,
  ): Promise<StartedFlow> {
    if (!(await this.sessions.isRecent(caller.sessionId, RECENT_SECONDS)))
      throw new AppError('forbidden', { detail: SIGN_IN_ERRORS.link_refused });
    return this.starts.start(kind, request, caller);
  }

  async unlink(userId: UserId, id: string): Promise<void> {
    await this.identities.delete(userId, id);
    await this.codes.withdraw({ userId });
    await this.audit.recordOfAccount(userId, 'identity-unlinked');
  }
}
