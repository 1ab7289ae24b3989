import { Injectable } from '@nestjs/common';
import { createOneTimeToken, hashOneTimeToken } from '../../../platform/crypto/index.js';
import { DailyBudgets } from '../../../platform/budgets/index.js';
import { Database, isUniqueViolation } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { canonicalEmail, LOCK, type UserId } from '../../../kernel/index.js';
import type { Client } from '../../../platform/web/index.js';
import { JobHandler, JobQueue } from '../../../platform/jobs/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { RANDOM_DELAY } from '../account-mails.js';
import { MemberAuthority } from '../../organizations/members/member-authority.js';
import { AccountRepository } from '../account.repository.js';
import {
  EmailChangeMails,
  CONFIRMATION_LIFETIME_SECONDS,
  UNDO_LIFETIME_SECONDS,
} from './email-change-mails.js';
import {
  type ChangeRequest,
  type EmailChange,
  EmailChangeRepository,
  type PendingChange,
} from './email-change.repository.js';
import { EmailUndoRepository } from './email-undo.repository.js';
import { type ChangingDirectory, EmailWriter } from './email-writer.js';
import { ManagedAccountRepository } from './managed-account.repository.js';

const SEND_CONFIRMATION = 'iam.confirm-email';
/** By which a member asks for the address of another one. */
const SCOPE_FOR_OTHERS = 'iam:worker:update';
/** Changes that a person can ask for in a day: each mails an address of their choice. */
const MAX_REQUESTS_PER_DAY = 20;

interface ConfirmationMail {
  readonly plainToken: string;
  /** Key of the network that asked for the mail, in hexadecimal. */
  readonly network: string;
}

/**
 * Changes addresses by a link mailed to the new one (PW-7). The request does the same work for a
 * free and a taken address; its job then reads whether the address has an account (API-13, ADR 23).
 */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly changes: EmailChangeRepository,
    private readonly undos: EmailUndoRepository,
    private readonly writer: EmailWriter,
    private readonly mails: EmailChangeMails,
    private readonly jobs: JobQueue,
    private readonly budgets: DailyBudgets,
    private readonly managed: ManagedAccountRepository,
    private readonly authority: MemberAuthority,
  ) {}

  /** Returns whether a directory manages the address, so that its person cannot change it. */
  isManaged(userId: UserId): Promise<boolean> {
    return this.managed.isManaged(userId);
  }

  /** Finds the change that waits for its confirmation. */
  findPending(userId: UserId): Promise<PendingChange | null> {
    return this.changes.findOf(userId);
  }

  /**
   * Voids the change that waits, for its person.
   * @throws {AppError} not-found if none waits
   */
  cancelPending(userId: UserId): Promise<void> {
    return this.database.transaction(async () => {
      await this.accounts.findForUpdate(userId);
      if (!(await this.changes.findOf(userId))) throw new AppError('not-found');
      await this.cancel({ userId });
    });
  }

  /**
   * Stores a change in place of an earlier one, and queues its mail. It ends with the session of
   * the person, or counts while the member who requests it could do so again. Does not
   * tell whether another account has the address.
   * @throws {AppError} validation-error on `email` if it is the caller's address; conflict if a
   *   directory manages the address; too-many-requests beyond {@link MAX_REQUESTS_PER_DAY};
   *   unauthenticated if the account is erased or suspended
   */
  async request(
    { userId, sessionId, requestedBy, requestedIn }: ChangeRequest,
    email: string,
    { ipAddress }: Client,
  ): Promise<void> {
    const emailKey = canonicalEmail(email);
    const { plainToken, tokenHash } = createOneTimeToken();
    const network = this.mails.networkKey(email, ipAddress).toString('hex');
    await this.database.transaction(async () => {
      const account = await this.accounts.findActiveForShare(userId);
      if (!account) throw new AppError('unauthenticated');
      if (await this.isManaged(userId))
        throw new AppError('conflict', { reason: { id: 'email-change.managed' } });
      if (account.email !== null && canonicalEmail(account.email) === emailKey)
        throw AppError.violation('email', { id: 'email-change.own-address' });
      if (!(await this.budgets.take('address-changes', userId, MAX_REQUESTS_PER_DAY)))
        throw new AppError('too-many-requests', {
          reason: { id: 'email-change.too-many', values: { max: MAX_REQUESTS_PER_DAY } },
          retryAfterSeconds: this.budgets.secondsUntilTomorrow(),
        });
      const change = { userId, sessionId, requestedBy, requestedIn, email, emailKey };
      await this.changes.replace(tokenHash, change, CONFIRMATION_LIFETIME_SECONDS);
      const mail: ConfirmationMail = { plainToken, network };
      await this.jobs.add(SEND_CONFIRMATION, mail, RANDOM_DELAY);
    });
  }

  /**
   * Sends the link to the new address, or tells the owner of the address that it has an account.
   * Sends nothing if the change is void.
   */
  @JobHandler({ task: SEND_CONFIRMATION })
  async sendConfirmation({ plainToken, network }: ConfirmationMail): Promise<void> {
    const tokenHash = hashOneTimeToken(plainToken);
    const networkKey = Buffer.from(network, 'hex');
    await this.database.transaction(async () => {
      const asked = await this.changes.find(tokenHash);
      if (!asked) return;
      const { email, emailKey, userId } = asked;
      const { own, holder } = await this.accounts.findWithHolderForShare(userId, emailKey);
      // A change that was voided before the account was locked sends nothing.
      if (!own || !(await this.changes.find(tokenHash))) return;
      if (holder) await this.mails.sendTaken(holder, networkKey);
      else await this.mails.sendConfirmation({ email, locale: own.locale }, plainToken, networkKey);
    });
  }

  /**
   * Gives the account the new address, and mails the former one a link that restores it. A change
   * back to an address that has such a link undoes what came after it: the address in between,
   * which may be an attacker's, gets no link, as at an undo.
   * @throws {AppError} validation-error on `token` if it is wrong, used, void or expired, or if by
   *   now another account has the address, a directory manages it, or the member who asked for it
   *   could not do so any more
   */
  async confirm(plainToken: string): Promise<void> {
    const tokenHash = hashOneTimeToken(plainToken);
    await this.database
      .transaction(async () => {
        const asked = await this.changes.find(tokenHash);
        if (!asked) throw invalidToken();
        const { userId, emailKey } = asked;
        const { own, holder } = await this.accounts.findActiveWithHolderForUpdate(userId, emailKey);
        if (!own || holder || (await this.isManaged(userId))) throw invalidToken();
        const change = await this.changes.take(tokenHash);
        if (!change || !(await this.isRequestedStill(change))) throw invalidToken();
        await this.writer.store(own, change.email, 'email-changed');
        if (own.email === null) return;
        const former = { email: own.email, locale: own.locale };
        if (await this.undos.takeByEmail(own.id, emailKey)) {
          await this.mails.sendChanged(former, null);
          return;
        }
        const undo = createOneTimeToken();
        const { email } = former;
        const link = { userId, email, emailKey: canonicalEmail(email) };
        await this.undos.insert(undo.tokenHash, link, UNDO_LIFETIME_SECONDS);
        await this.mails.sendChanged(former, undo.plainToken);
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? invalidToken() : error;
      });
  }

  /**
   * Gives an account that a directory made the address that it sent, if no other account has it: a
   * managed one, or one without an address that the organization has to itself. The former
   * address is told, without a link, and links of earlier changes end: only the directory
   * may change it back. Joins the open transaction, and locks the accounts in order of id.
   * @throws a unique violation if a concurrent request gives another account the address
   */
  async changeByDirectory(userId: UserId, email: string, directory: ChangingDirectory): Promise<void> {
    const emailKey = canonicalEmail(email);
    const { own, holder } = await this.accounts.findWithHolderForUpdate(userId, emailKey);
    if (!own || holder || (own.email !== null && canonicalEmail(own.email) === emailKey)) return;
    const mayChange =
      own.email === null
        ? await this.managed.isOfTenantAlone(userId, directory.tenantId)
        : await this.isManaged(userId);
    if (!mayChange) return;
    await this.cancel({ userId });
    await this.undos.deleteAllOf(userId);
    await this.writer.storeByDirectory(own, email, directory);
    if (own.email !== null) await this.mails.sendChanged({ email: own.email, locale: own.locale }, null);
  }

  /** Voids the change that waits, when credentials change or the person signs out everywhere. */
  @OnLifecycle(
    'account.password-changed',
    'account.password-reset',
    'account.signed-out',
    'account.suspended',
    'account.erased',
    { order: LOCK.accounts },
  )
  async cancel({ userId }: { userId: UserId }): Promise<void> {
    const cancelled = await this.changes.delete(userId);
    if (cancelled) await this.mails.withdrawRequests(cancelled.emailKey);
  }

  /** A removed member must not take over the account of a worker by a link to themselves. */
  private async isRequestedStill(change: EmailChange): Promise<boolean> {
    const { userId, sessionId, requestedBy, requestedIn } = change;
    if (sessionId !== null || requestedBy === null || requestedIn === null) return true;
    const begun = { tenantId: requestedIn, actorId: requestedBy, userId };
    return this.authority.covers(begun, SCOPE_FOR_OTHERS);
  }
}

const invalidToken = (): AppError => AppError.violation('token', { id: 'email-change.link-not-valid' });
