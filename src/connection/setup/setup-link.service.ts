import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import { AuditTrail, TenantLimitsService, TenantService } from '../../iam/index.js';
import {
  type LifecycleEvents,
  newId,
  type Principal,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { createApiKey, hashApiKey, KeyDerivation } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { isInUse } from '../connections/connection.js';
import { ConnectionReach } from '../connections/connection-reach.js';
import { ConnectionRepository } from '../connections/connection.repository.js';
import type { SetupIntent } from './setup-link.entity.js';
import { SCOPES_OF_INTENTS } from './setup-link-scopes.js';
import { SetupLinkMails } from './setup-link-mails.js';
import { LIFETIME_DAYS, type ListedLink, SetupLinkRepository } from './setup-link.repository.js';
import { SetupLinks } from './setup-links.js';

/** Maximum number of active links of an organization. */
const MAX_LINKS = 50;
const DAY_SECONDS = 86_400;
const RETRY_SECONDS = 3_600;

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
    private readonly database: Database,
    private readonly repository: SetupLinkRepository,
    private readonly links: SetupLinks,
    private readonly mails: SetupLinkMails,
    private readonly connections: ConnectionRepository,
    private readonly reach: ConnectionReach,
    private readonly tenants: TenantService,
    private readonly callers: CallerScopes,
    private readonly keys: KeyDerivation,
    private readonly audit: AuditTrail,
    private readonly limits: TenantLimitsService,
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
    await this.requireHeld(caller, given.intents);
    const intents = [...new Set(given.intents)];
    await this.requireConnection(tenantId, caller, intents, connectionId);
    await this.database.lockNameForUpdate(`setup-links ${tenantId}`);
    if ((await this.repository.countActive(tenantId, MAX_LINKS)) >= MAX_LINKS)
      throw new AppError('conflict', {
        reason: { id: 'setup-link.too-many', values: { max: MAX_LINKS } },
      });
    const { plainKey } = createApiKey('setup');
    const link = {
      id: newId(),
      tokenHash: hashApiKey(this.keys, 'api-key', plainKey),
      intents,
      connectionId,
      createdBy: caller.userId,
    };
    const expiresAt = await this.repository.insert(tenantId, link);
    if (email !== undefined) await this.mail(tenantId, { to: email, locale, ipAddress, plainKey });
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

  /** Requires that the caller holds what the link allows. */
  private async requireHeld(caller: Principal, intents: readonly SetupIntent[]): Promise<void> {
    const holds = await this.callers.findCallerScopes(caller, true);
    const violations = intents.flatMap((intent, n): Violation[] => {
      const missing = SCOPES_OF_INTENTS[intent].find((scope) => holds?.(scope) !== true);
      return missing === undefined
        ? []
        : [
            {
              propertyPath: `intents[${n}]`,
              message: { id: 'setup-link.not-held', values: { scope: missing } },
            },
          ];
    });
    if (violations.length > 0) throw new AppError('validation-error', { violations });
  }

  private async requireConnection(
    tenantId: TenantId,
    caller: Principal,
    intents: readonly SetupIntent[],
    id: string | null,
  ): Promise<void> {
    if (id === null) {
      if (intents.includes('certificate') && !intents.includes('sso'))
        throw AppError.violation('connectionId', 'must be given for a link for certificates');
      return;
    }
    const connection = await this.connections.findForShare(tenantId, id);
    if (!connection)
      throw AppError.violation('connectionId', 'There is no such connection in this organization.');
    const changesIt = intents.includes('sso') || intents.includes('certificate');
    // A draft that was never active signs no person in.
    if (!changesIt || !isInUse(connection)) return;
    if ((await this.reach.findExceeding(caller, tenantId, [id], true)).has(id))
      throw AppError.violation('connectionId', { id: 'connection.exceeds-caller' });
  }

  private async mail(
    tenantId: TenantId,
    mail: { readonly to: string; readonly plainKey: string } & Pick<GivenLink, 'locale' | 'ipAddress'>,
  ): Promise<void> {
    const { name: organization } = await this.tenants.get(tenantId);
    const usefulForSeconds = LIFETIME_DAYS * DAY_SECONDS;
    const budget = await this.limits.findBudget(tenantId, mail.to);
    const sent = await this.mails.send({ ...mail, organization, usefulForSeconds, budget });
    if (sent === 'sender-limited') throw await this.limits.mailsUsedUp(tenantId);
    if (sent === 'recipient-limited')
      throw new AppError('too-many-requests', {
        reason: { id: 'setup-link.too-many-mails' },
        retryAfterSeconds: RETRY_SECONDS,
      });
  }

  private record(tenantId: TenantId, actorId: UserId, id: string, what: string): Promise<void> {
    const subject = `iam/setup-links/${id}`;
    return this.audit.record({ actorId, tenantId, action: `setup-link.${what}`, subject });
  }
}
