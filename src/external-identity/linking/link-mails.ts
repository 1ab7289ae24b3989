import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Outbox } from '../../platform/mail/index.js';
import { localeOf, textIn } from '../../platform/messages/index.js';
import type { Recipient } from '../../iam/index.js';
import './identity.messages.js';
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

  linked({ email, locale }: Recipient, kind: Kind): Promise<boolean> {
    const language = localeOf(locale);
    const text = textIn(language);
    return this.outbox.send(
      {
        to: email,
        locale: language,
        subject: text('mail.identity-linked.subject'),
        paragraphs: [
          text('mail.identity-linked.linked', { provider: this.providers.nameOf(kind) }),
          text('mail.identity-linked.was-not-you'),
        ],
        action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
      },
      { usefulForSeconds: DAY, budget: { kind: 'identity-linked', mails: 10, periodSeconds: DAY } },
    );
  }

  /** Sent after a reset of the password. */
  removed({ email, locale }: Recipient, kinds: readonly Kind[]): Promise<boolean> {
    const language = localeOf(locale);
    const text = textIn(language);
    const names = [...new Set(kinds.map((kind) => this.providers.nameOf(kind)))].join(', ');
    return this.outbox.send(
      {
        to: email,
        locale: language,
        subject: text('mail.identities-removed.subject'),
        paragraphs: [
          text('mail.identities-removed.removed', { providers: names }),
          text('mail.identities-removed.link-again'),
        ],
        action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
      },
      { usefulForSeconds: DAY, budget: { kind: 'identities-removed', mails: 20, periodSeconds: DAY } },
    );
  }

  unlinked({ email, locale }: Recipient, kind: Kind): Promise<boolean> {
    const language = localeOf(locale);
    const text = textIn(language);
    return this.outbox.send(
      {
        to: email,
        locale: language,
        subject: text('mail.identity-unlinked.subject'),
        paragraphs: [
          text('mail.identity-unlinked.unlinked', { provider: this.providers.nameOf(kind) }),
          text('mail.identity-unlinked.was-not-you'),
        ],
        action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
      },
      { usefulForSeconds: DAY, budget: { kind: 'identity-unlinked', mails: 10, periodSeconds: DAY } },
    );
  }
}
