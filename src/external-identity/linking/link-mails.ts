import { Injectable } from '@nestjs/common';
import { Outbox } from '../../platform/mail/index.js';
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
  ) {}

  linked({ email, locale }: Recipient, kind: Kind): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      { usefulForSeconds: DAY, budget: { kind: 'identity-linked', mails: 10, periodSeconds: DAY } },
      (text) => ({
        subject: text('mail.identity-linked.subject'),
        paragraphs: [
          text('mail.identity-linked.linked', { provider: this.providers.nameOf(kind) }),
          text('mail.identity-linked.was-not-you'),
        ],
      }),
    );
  }

  /** Sent after a reset of the password. */
  removed({ email, locale }: Recipient, kinds: readonly Kind[]): Promise<boolean> {
    const names = [...new Set(kinds.map((kind) => this.providers.nameOf(kind)))].join(', ');
    return this.outbox.send(
      { email, locale },
      { usefulForSeconds: DAY, budget: { kind: 'identities-removed', mails: 20, periodSeconds: DAY } },
      (text) => ({
        subject: text('mail.identities-removed.subject'),
        paragraphs: [
          text('mail.identities-removed.removed', { providers: names }),
          text('mail.identities-removed.link-again'),
        ],
      }),
    );
  }

  unlinked({ email, locale }: Recipient, kind: Kind): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      { usefulForSeconds: DAY, budget: { kind: 'identity-unlinked', mails: 10, periodSeconds: DAY } },
      (text) => ({
        subject: text('mail.identity-unlinked.subject'),
        paragraphs: [
          text('mail.identity-unlinked.unlinked', { provider: this.providers.nameOf(kind) }),
          text('mail.identity-unlinked.was-not-you'),
        ],
      }),
    );
  }
}
