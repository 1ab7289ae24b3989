import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Outbox } from '../../../platform/mail/index.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Maximum time that the mail about an erasure is kept, sent or not; then nothing is left of it. */
export const MAX_ERASURE_MAIL_TTL_SECONDS = HOUR_SECONDS;
/** More mails a day would only teach the owner to ignore them. */
const MAX_NETWORK_NOTICES_PER_DAY = 3;

/** Sign-in as mails show it. Nothing in it is text that the client sent. */
export interface NotedSignIn {
  readonly at: Date;
  /** Browser and system, such as "Firefox on Linux". */
  readonly device: string;
  readonly ipAddress: string;
}

/** Sends mails that tell owners what was done with their account. Their links change nothing. */
@Injectable()
export class SecurityNotices {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Tells the owner of a sign-in from a new network.
   * @returns false if the address has used up its budget
   */
  sendNewNetwork(to: string, { at, device, ipAddress }: NotedSignIn): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'New sign-in to your account',
        paragraphs: [
          'Someone signed in to your account from a network that was not used for it before.',
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
   * Tells the owner that the account was erased. The mail is kept under a key of its own, because
   * the erasure removes all mails under the address; the caller has to remove it.
   * @returns the keys that it may be kept under
   */
  async sendErased(to: string, accountId: string): Promise<readonly Buffer[]> {
    const keptAs = `erased-account:${accountId}`;
    await this.outbox.send(
      {
        to,
        subject: 'Your account was erased',
        paragraphs: [
          'Your account was erased at the request of a person who was signed in to it. All personal data in it was removed. This cannot be undone.',
          'If it was not you, another person had access to your account. Tell the operator of this service, and change the password on other sites where you use it.',
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
