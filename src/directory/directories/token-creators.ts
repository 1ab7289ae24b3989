import { Injectable } from '@nestjs/common';
import { AuditTrail, OwnerMails, TenantLock } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { DirectoryReach } from './directory-reach.js';
import { DirectoryTokens, type VerifiedToken } from './directory-tokens.js';
import '../directory.messages.js';

const TELL_OWNERS = 'directories.tell-owners-of-stopped-token';

/**
 * Lets a token work only while its creator could create it, so that no person keeps by a token what
 * they have lost as a member. A token of an unknown creator works.
 */
@Injectable()
export class TokenCreators {
  constructor(
    private readonly database: Database,
    private readonly tenantLock: TenantLock,
    private readonly reach: DirectoryReach,
    private readonly tokens: DirectoryTokens,
    private readonly audit: AuditTrail,
    private readonly jobs: JobQueue,
    private readonly mails: OwnerMails,
  ) {}

  /** @throws {AppError} unauthenticated for a token whose creator could not create it now */
  async requireWorking(token: VerifiedToken): Promise<void> {
    if (!(await this.works(token)))
      throw new AppError('unauthenticated', { reason: { id: 'directory.token-stopped' } });
  }

  /** Judges a call by the caches, and reads the database once: when the token stops. */
  private async works(token: VerifiedToken): Promise<boolean> {
    if (!(await this.couldCreate(token, false))) return !token.isStopped && this.couldCreateOrStop(token);
    if (token.isStopped) await this.tokens.setStopped(token, false);
    return true;
  }

  private couldCreateOrStop(token: VerifiedToken): Promise<boolean> {
    return this.database.transaction(async () => {
      const { tenantId, directoryId } = token;
      await this.tenantLock.lockForUpdate(tenantId);
      if (await this.couldCreate(token, true)) return true;
      if (!(await this.tokens.setStopped(token, true))) return false;
      await this.audit.record({
        actorId: directoryId as UserId,
        tenantId,
        action: 'directory.token-stopped',
        subject: `iam/directories/${directoryId}`,
      });
      await this.jobs.add(TELL_OWNERS, { tenantId });
      return false;
    });
  }

  private async couldCreate(
    { tenantId, createdBy, isCreatorActive, roleIds }: VerifiedToken,
    lock: boolean,
  ): Promise<boolean> {
    if (createdBy === null) return true;
    return isCreatorActive && this.reach.mayCreateToken(tenantId, createdBy, roleIds, lock);
  }

  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId }: { readonly tenantId: TenantId }): Promise<void> {
    await this.database.transaction(() =>
      this.mails.send(tenantId, { kind: 'directory-token-stopped' }, (text, organization) => ({
        subject: text('mail.directory-token-stopped.subject'),
        paragraphs: [
          text('mail.directory-token-stopped.text', { organization }),
          text('mail.directory-token-stopped.replace'),
        ],
      })),
    );
  }
}
