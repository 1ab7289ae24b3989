import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Outbox } from '../../platform/mail/index.js';
import type { Kind } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';

const DAY = 86_400;

/** Tells the owner of an account of what is linked to it, and of what is not any more. */
@Injectable()
export class LinkMails {
  constructor(
    private readonly outbox: Outbox,
    private readonly providers: ProviderRegistry,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  linked(to: string, kind: Kind): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'A new way to sign in',
        paragraphs: [
          `From now on you can sign in to your account by ${this.providers.nameOf(kind)} as well.`,
          'If it was not you, sign in, remove it under "my identities", and change your password.',
        ],
        action: { label: 'Go to the app', url: this.settings.APP_URL },
      },
      { usefulForSeconds: DAY, budget: { kind: 'identity-linked', mails: 10, periodSeconds: DAY } },
    );
  }

  /** After a reset of the password. */
  removed(to: string, kinds: readonly Kind[]): Promise<boolean> {
    const names = [...new Set(kinds.map((kind) => this.providers.nameOf(kind)))].join(', ');
    return this.outbox.send(
      {
        to,
        subject: 'Linked sign-ins were removed',
        paragraphs: [
          `Your password was reset. These linked sign-ins were removed, in case another person had added them: ${names}.`,
          'To use them again, sign in with your new password and link them under "my identities".',
        ],
        action: { label: 'Go to the app', url: this.settings.APP_URL },
      },
      { usefulForSeconds: DAY, budget: { kind: 'identities-removed', mails: 20, periodSeconds: DAY } },
    );
  }

  unlinked(to: string, kind: Kind): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'A way to sign in was removed',
        paragraphs: [
          `Your account can no longer be signed in to by ${this.providers.nameOf(kind)}.`,
          'If it was not you, reset your password at once: this signs out every device. Then link it again under "my identities".',
        ],
        action: { label: 'Go to the app', url: this.settings.APP_URL },
      },
      { usefulForSeconds: DAY, budget: { kind: 'identity-unlinked', mails: 10, periodSeconds: DAY } },
    );
  }
}
