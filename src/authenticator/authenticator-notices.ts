import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../iam/index.js';
import type { UserId } from '../kernel/index.js';
import { Outbox } from '../platform/mail/index.js';
import { type MessageValues } from '../platform/messages/index.js';
import './authenticator.messages.js';

const DAY_SECONDS = 86_400;
const MAX_MAILS_PER_DAY = 20;

/** What owners are told of; each has a subject and a text. */
type Notice =
  | 'totp-added'
  | 'passkey-added'
  | 'totp-removed'
  | 'passkey-removed'
  | 'totp-renamed'
  | 'passkey-renamed'
  | 'trusted-device-removed'
  | 'recovery-codes-renewed'
  | 'recovery-code-used'
  | 'totp-blocked'
  | 'password-removed'
  | 'authenticators-reset'
  | 'authenticators-reset-cancelled';

/**
 * Records what happens to the second factors of a person in the audit trail, and mails the owner.
 * Joins the open transaction, and locks the account against erasure.
 */
@Injectable()
export class AuthenticatorNotices {
  constructor(
    private readonly accounts: AccountService,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Records and mails.
   * @param id authenticator that it is about; null for the whole account
   */
  async tell(userId: UserId, notice: Notice, id: string | null, values?: MessageValues): Promise<void> {
    await this.audit.record({
      actorId: userId,
      action: `account.${notice}`,
      subject: id === null ? `iam/accounts/${userId}` : `iam/authenticators/${id}`,
    });
    const account = await this.accounts.findForShare(userId);
    if (!account || account.email === null) return;
    await this.outbox.send(
      { email: account.email, locale: account.locale },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: notice, mails: MAX_MAILS_PER_DAY, periodSeconds: DAY_SECONDS },
      },
      (text) => ({
        subject: text(`mail.${notice}.subject`),
        paragraphs: [text(`mail.${notice}.text`, values), text('mail.authenticators.was-not-you')],
        action: { label: text('mail.authenticators.see'), path: '/account/security' },
      }),
    );
  }
}
