import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import {
  type LifecycleEvents,
  newId,
  type Principal,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { SetupLinkCheck } from './setup-link-check.js';
import type { SetupIntent } from './setup-link.entity.js';
import { SetupLinkMails } from './setup-link-mails.js';
import { type ListedLink, SetupLinkRepository } from './setup-link.repository.js';
import { SetupLinks } from './setup-links.js';

/** Maximum number of active links of an organization. */
const MAX_LINKS = 50;

/** A link, with its address, which cannot be read again. */
export interface CreatedLink {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: Date;
}

interface GivenLink {
  readonly intents: readonly SetupIntent[];
  readonly connectionId?: string | null | undefined;
  readonly email?: string | undefined;
  /** Language of the mail (BCP 47); null for the default. */
  readonly locale: string | null;
  /** Address of the caller. */
  readonly ipAddress: string;
}

/** Manages the set-up links of an organization. The caller has checked the permission before. */
@Injectable()
export class SetupLinkService {
  constructor(
    private readonly repository: SetupLinkRepository,
    private readonly links: SetupLinks,
    private readonly check: SetupLinkCheck,
    private readonly mails: SetupLinkMails,
    private readonly audit: AuditTrail,
  ) {}

  list(tenantId: TenantId, page: Page): Promise<ListedLink[]> {
    return this.repository.list(tenantId, page);
  }

  /**
   * Creates a link, and mails it if an address is given. Only its hash is stored.
   * @throws {AppError} validation-error on `intents[n]` for one that the caller may not pass on, on
   *   `connectionId`; conflict beyond {@link MAX_LINKS}; too-many-requests if the address or the
   *   organization has used up its budget of mails
   */
  async create(
    tenantId: TenantId,
    caller: Principal,
    { connectionId = null, email, locale, ipAddress, ...given }: GivenLink,
  ): Promise<CreatedLink> {
    await this.check.requireHeld(caller, given.intents);
    const intents = [...new Set(given.intents)];
    await this.check.requireConnection(tenantId, caller, intents, connectionId);
    if ((await this.repository.countActiveForUpdate(tenantId, MAX_LINKS)) >= MAX_LINKS)
      throw new AppError('conflict', {
        reason: { id: 'setup-link.too-many', values: { max: MAX_LINKS } },
      });
    const { plainKey, tokenHash } = this.links.createToken();
    const link = {
      id: newId(),
      tokenHash,
      intents,
      connectionId,
      createdBy: caller.userId,
    };
    const expiresAt = await this.repository.insert(tenantId, link);
    if (email !== undefined) await this.mails.sendLink(tenantId, { to: email, locale, ipAddress, plainKey });
    await this.record(tenantId, caller.userId, link.id, 'created');
    return { id: link.id, url: this.mails.addressOf(plainKey), expiresAt };
  }

  /** Revokes a link: the next request with it is refused. One that is revoked already stays so. */
  async revoke(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    if (await this.repository.revoke(tenantId, id)) await this.record(tenantId, actorId, id, 'revoked');
  }

  /** Ends the links of a person who has left: what they passed on was theirs as a member. */
  @OnLifecycle('memberships.ended')
  async revokeOfLeaver({ userId, tenantIds }: LifecycleEvents['memberships.ended']): Promise<void> {
    for (const { tenantId, id } of await this.repository.revokeOf(tenantIds, userId))
      await this.record(tenantId, id as UserId, id, 'revoked');
  }

  /** Revokes a link that was found in public. */
  @OnLifecycle('key.leaked')
  async revokeLeaked({ plainKey, ended }: LifecycleEvents['key.leaked']): Promise<void> {
    const link = await this.links.find(plainKey);
    if (!link || !(await this.repository.revoke(link.tenantId, link.id))) return;
    await this.record(link.tenantId, link.id as UserId, link.id, 'revoked');
    await ended({ tenantId: link.tenantId, name: 'set-up link' });
  }

  private record(tenantId: TenantId, actorId: UserId, id: string, what: string): Promise<void> {
    const subject = `iam/setup-links/${id}`;
    return this.audit.record({ actorId, tenantId, action: `setup-link.${what}`, subject });
  }
}
