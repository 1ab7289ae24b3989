import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/config/index.js';
import { Outbox } from '../../platform/mail/index.js';
import type { Kind } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';

const DAY = 86_400;

/** Tells the owner of an account that it can be entered another way from now on. */
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
}
