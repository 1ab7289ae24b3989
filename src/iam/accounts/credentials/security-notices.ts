import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Outbox } from '../../../platform/mail/index.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Maximum time that the last mail is kept, sent or not: an erasure leaves nothing behind for longer. */
export const MAX_ERASURE_MAIL_TTL_SECONDS = HOUR_SECONDS;
/** The owner has been told by then; more would only teach them to ignore these mails. */
const MAX_NETWORK_NOTICES_PER_DAY = 3;

/** A sign-in, in words and values that are safe in a mail: none of them is text that the client has sent. */
export interface NotedSignIn {
  readonly at: Date;
  /** Such as "Firefox on Linux". */
  readonly device: string;
  readonly ipAddress: string;
}

/** Mails that tell the owner of an account what was done with it, perhaps by somebody else. Their links change nothing. */
@Injectable()
export class SecurityNotices {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Answers false where the address has had its share. */
  sendNewNetwork(to: string, { at, device, ipAddress }: NotedSignIn): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'New sign-in to your account',
        paragraphs: [
          'Somebody signed in to your account from a network that it had not been used from before.',
          `Time: ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
          `Browser: ${device}`,
          `IP address: ${ipAddress}`,
          'If it was you, there is nothing to do. If it was not you, reset your password at once: this signs out every device.',
        ],
        action: { label: 'Go to the app', url: this.settings.APP_URL },
      },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: 'new-network', mails: MAX_NETWORK_NOTICES_PER_DAY, periodSeconds: DAY_SECONDS },
      },
    );
  }

  /**
   * The last mail to an account. It is kept under a name of its own, as everything under the address is removed meanwhile; its caller removes it.
   * @returns the names that it may be kept under
   */
  async sendErased(to: string, accountId: string): Promise<readonly Buffer[]> {
    const keptAs = `erased-account:${accountId}`;
    await this.outbox.send(
      {
        to,
        subject: 'Your account was erased',
        paragraphs: [
          'Your account was erased at the request of somebody who was signed in to it. Everything in it that says who you are is gone. This cannot be undone.',
          'If it was not you, somebody else had access to your account. Tell the operator of this service, and change the password wherever else you use it.',
          'This is the last mail about this account. You can register again with the same address at any time.',
        ],
      },
      {
        usefulForSeconds: MAX_ERASURE_MAIL_TTL_SECONDS,
        budget: { kind: 'account-erased', mails: 1, periodSeconds: HOUR_SECONDS },
        keptAs,
      },
    );
    return this.outbox.keysOf(keptAs);
  }
}
