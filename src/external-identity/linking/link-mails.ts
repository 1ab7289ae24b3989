import { Injectable } from '@nestjs/common';
import { type MailText, Outbox } from '../../platform/mail/index.js';
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

  linked(owner: Recipient, kind: Kind): Promise<boolean> {
    const provider = this.providers.nameOf(kind);
    return this.send(owner, 'identity-linked', 10, (text) => [
      text('mail.identity-linked.linked', { provider }),
      text('mail.identity-linked.was-not-you'),
    ]);
  }

  /** Sent after a reset of the password. */
  removed(owner: Recipient, kinds: readonly Kind[]): Promise<boolean> {
    const providers = [...new Set(kinds.map((kind) => this.providers.nameOf(kind)))].join(', ');
    return this.send(owner, 'identities-removed', 20, (text) => [
      text('mail.identities-removed.removed', { providers }),
      text('mail.identities-removed.link-again'),
    ]);
  }

  unlinked(owner: Recipient, kind: Kind): Promise<boolean> {
    const provider = this.providers.nameOf(kind);
    return this.send(owner, 'identity-unlinked', 10, (text) => [
      text('mail.identity-unlinked.unlinked', { provider }),
      text('mail.identity-unlinked.was-not-you'),
    ]);
  }

  /** @param mails of this kind that a person gets a day */
  private send(
    { email, locale }: Recipient,
    kind: 'identity-linked' | 'identities-removed' | 'identity-unlinked',
    mails: number,
    paragraphs: (text: MailText) => readonly string[],
  ): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      { usefulForSeconds: DAY, budget: { kind, mails, periodSeconds: DAY } },
      (text) => ({ subject: text(`mail.${kind}.subject`), paragraphs: paragraphs(text) }),
    );
  }
}
