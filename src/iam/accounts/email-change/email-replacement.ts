import { Injectable } from '@nestjs/common';
import { canonicalEmail, LOCK, type UserId } from '../../../kernel/index.js';
import { createOneTimeToken } from '../../../platform/crypto/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import type { Recipient } from '../account-mails.js';
import type { LockedAccount } from '../account.repository.js';
import { MailErasure } from '../erasure/mail-erasure.js';
import { EmailChangeMails, UNDO_LIFETIME_SECONDS } from './email-change-mails.js';
import { type EmailUndo, EmailUndoRepository } from './email-undo.repository.js';
import { type ChangingDirectory, EmailWriter } from './email-writer.js';

/**
 * Replaces addresses of accounts, and keeps the links that restore the former ones. Joins the open
 * transaction, which has locked the account.
 */
@Injectable()
export class EmailReplacement {
  constructor(
    private readonly writer: EmailWriter,
    private readonly undos: EmailUndoRepository,
    private readonly mails: EmailChangeMails,
    private readonly mailErasure: MailErasure,
  ) {}

  /**
   * Gives the account a proven address, and mails the former one a link that restores it. A change
   * back to an address that has such a link undoes what came after it: the address in between,
   * which may be an attacker's, gets no link, as at an undo.
   * @throws a unique violation if another account has the address
   */
  async replace(own: LockedAccount, email: string): Promise<void> {
    await this.writer.store(own, email, 'email-changed');
    if (own.email === null) return;
    const former = { email: own.email, locale: own.locale };
    if (await this.undos.takeByEmail(own.id, canonicalEmail(email))) {
      await this.mails.sendChanged(former, null);
      return;
    }
    const undo = createOneTimeToken();
    const link = { userId: own.id, email: former.email, emailKey: canonicalEmail(former.email) };
    await this.undos.insert(undo.tokenHash, link, UNDO_LIFETIME_SECONDS);
    await this.mails.sendChanged(former, undo.plainToken);
  }

  /**
   * Gives the account the address that its directory sent. The former address is told, without a
   * link, and links of earlier changes end: only the directory may change it back.
   * @throws a unique violation if another account has the address
   */
  async replaceByDirectory(own: LockedAccount, email: string, directory: ChangingDirectory): Promise<void> {
    await this.undos.deleteAllOf(own.id);
    await this.writer.storeByDirectory(own, email, directory);
    if (own.email !== null) await this.mails.sendChanged({ email: own.email, locale: own.locale }, null);
  }

  /** Finds the former address that a link restores. */
  findFormer(tokenHash: Buffer): Promise<EmailUndo | null> {
    return this.undos.find(tokenHash);
  }

  /**
   * Restores a former address by its link, once.
   * @returns false if there is no such link any more
   * @throws a unique violation if another account has the address
   */
  async restore(own: LockedAccount, { email }: EmailUndo, tokenHash: Buffer): Promise<boolean> {
    if (!(await this.undos.take(tokenHash))) return false;
    await this.writer.store(own, email, 'email-restored');
    return true;
  }

  /** Mails a restored address the link to choose a new password. */
  async tellRestored(recipient: Recipient, resetToken: string): Promise<void> {
    await this.mails.sendRestored(recipient, resetToken);
  }

  /** Removes former addresses in the transaction that erases the account, and the mails to them. */
  @OnLifecycle('account.erased', { order: LOCK.accounts })
  async forget({ userId }: { userId: UserId }): Promise<void> {
    for (const { emailKey } of await this.undos.deleteAllOf(userId))
      await this.mailErasure.scheduleErasure({ emailKey });
  }
}
