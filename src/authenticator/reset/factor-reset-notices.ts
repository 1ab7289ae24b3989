import { Inject, Injectable } from '@nestjs/common';
import { AccountService, type KnownAddress, KnownAddressRepository, utcOf } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';
import { type Locale, localeOf, textIn } from '../../platform/messages/index.js';
import '../authenticator.messages.js';

const DAY_SECONDS = 86_400;
/** No operator can use the mails to flood a person. */
const MAX_MAILS_PER_DAY = 10;

interface ScheduledReset {
  /** Token of the link that cancels it. */
  readonly plainToken: string;
  readonly reason: string;
  readonly effectiveAt: Date;
}

/**
 * Tells people that their second factors will be removed, at every address by which they may be
 * reached: a thief who has changed the address of the account does not keep the warning from them.
 */
@Injectable()
export class FactorResetMails {
  constructor(
    private readonly accounts: AccountService,
    private readonly addresses: KnownAddressRepository,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Mails the person, in the open transaction. People without an address see it in the portal. */
  async tell(userId: UserId, reset: ScheduledReset): Promise<void> {
    const account = await this.accounts.findForShare(userId);
    if (!account) return;
    const locale = localeOf(account.locale);
    for (const address of await this.addresses.list(userId)) await this.send(address, locale, reset);
  }

  /** The reason is only for the person: an address that is not proven may be a stranger's. */
  private async send(
    { email, isProven }: KnownAddress,
    locale: Locale,
    { plainToken, reason, effectiveAt }: ScheduledReset,
  ): Promise<void> {
    const text = textIn(locale);
    const quoted = isProven ? quotedName(reason) : null;
    await this.outbox.send(
      {
        to: email,
        locale,
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
          url: `${this.settings.APP_URL}/cancel-authenticator-reset?token=${plainToken}`,
        },
      },
      {
        usefulForSeconds: Math.max(DAY_SECONDS, this.settings.FACTOR_RESET_DELAY),
        budget: {
          kind: 'authenticators-reset-scheduled',
          mails: MAX_MAILS_PER_DAY,
          periodSeconds: DAY_SECONDS,
        },
      },
    );
  }
}
