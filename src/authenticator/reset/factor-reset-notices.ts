import { Inject, Injectable } from '@nestjs/common';
import {
  AccountService,
  AuditTrail,
  type KnownAddress,
  KnownAddressRepository,
  utcOf,
} from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Outbox, pathWithToken, quotedName } from '../../platform/mail/index.js';
import '../authenticator.messages.js';

const DAY_SECONDS = 86_400;
/** No operator can use the mails to flood a person. */
const MAX_MAILS_PER_DAY = 10;

interface ScheduledReset {
  readonly userId: UserId;
  /** Token of the link that cancels it. */
  readonly plainToken: string;
  readonly reason: string;
  readonly effectiveAt: Date;
}

/**
 * Records that second factors will be removed, and tells the person at every address by which they
 * may be reached: a thief who has changed the address of the account does not keep the warning from
 * them.
 */
@Injectable()
export class FactorResetNotices {
  constructor(
    private readonly accounts: AccountService,
    private readonly addresses: KnownAddressRepository,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Records the schedule in the trail of the person and of the operator, and mails the person, in
   * the open transaction. People without an address see it in the portal.
   */
  async tell(requestedBy: UserId | null, reset: ScheduledReset): Promise<void> {
    const { userId } = reset;
    const action = 'account.authenticators-reset-scheduled';
    const subject = `iam/accounts/${userId}`;
    const actors = requestedBy === null ? [userId] : [userId, requestedBy];
    await this.audit.record(...actors.map((actorId) => ({ actorId, action, subject })));
    const account = await this.accounts.findForShare(userId);
    if (!account) return;
    for (const address of await this.addresses.list(userId)) await this.send(address, account.locale, reset);
  }

  /** The reason is only for the person: an address that is not proven may be a stranger's. */
  private async send(
    { email, isProven }: KnownAddress,
    locale: string | null,
    { plainToken, reason, effectiveAt }: ScheduledReset,
  ): Promise<void> {
    const quoted = isProven ? quotedName(reason) : null;
    await this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: Math.max(DAY_SECONDS, this.settings.FACTOR_RESET_DELAY),
        budget: {
          kind: 'authenticators-reset-scheduled',
          mails: MAX_MAILS_PER_DAY,
          periodSeconds: DAY_SECONDS,
        },
      },
      (text) => ({
        subject: text('mail.authenticators-reset-scheduled.subject'),
        paragraphs: [
          text('mail.authenticators-reset-scheduled.text', { time: utcOf(effectiveAt) }),
          ...(quoted === null
            ? []
            : [text('mail.authenticators-reset-scheduled.reason', { reason: quoted })]),
          text('mail.authenticators-reset-scheduled.cancel'),
        ],
        action: {
          label: text('mail.authenticators-reset-scheduled.action'),
          path: pathWithToken('cancel-authenticator-reset', plainToken),
        },
      }),
    );
  }
}
