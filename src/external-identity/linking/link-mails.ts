import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Outbox } from '../../platform/mail/index.js';
import type { Kind } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';

const DAY = 86_400;

/** Notifies the owner of an account of linked and unlinked identities. */
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
        subject: 'New sign-in method',
        paragraphs: [
          `You can now sign in to your account with ${this.providers.nameOf(kind)}.`,
          'If it was not you, sign in, unlink it under "Identities", and change your password.',
        ],
        action: { label: 'Go to the app', url: this.settings.APP_URL },
      },
      { usefulForSeconds: DAY, budget: { kind: 'identity-linked', mails: 10, periodSeconds: DAY } },
    );
  }

  /** Sent after a reset of the password. */
  removed(to: string, kinds: readonly Kind[]): Promise<boolean> {
    const names = [...new Set(kinds.map((kind) => this.providers.nameOf(kind)))].join(', ');
    return this.outbox.send(
      {
        to,
        subject: 'Sign-in methods removed',
        paragraphs: [
          `Your password was reset. These sign-in methods were unlinked, in case another person had added them: ${names}.`,
          'To use them again, sign in with your new password and link them under "Identities".',
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
        subject: 'Sign-in method removed',
        paragraphs: [
          `You can no longer sign in to your account with ${this.providers.nameOf(kind)}.`,
          'If it was not you, reset your password: this signs out every device. Then link it again under "Identities".',
        ],
        action: { label: 'Go to the app', url: this.settings.APP_URL },
      },
      { usefulForSeconds: DAY, budget: { kind: 'identity-unlinked', mails: 10, periodSeconds: DAY } },
    );
  }
}
