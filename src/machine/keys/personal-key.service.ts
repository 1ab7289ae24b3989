import { Injectable } from '@nestjs/common';
import { SignInCheck } from '../../ability/index.js';
import { MembershipDirectory, TenantLock } from '../../iam/index.js';
import {
  findAssurance,
  isUlid,
  type LifecycleEvents,
  LOCK,
  type PersonPrincipal,
  type Shortfall,
  strengthOf,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { type Credential, CredentialRepository } from './credential.repository.js';
import type { CreatePersonalKeyDto, KeyRefusal, PersonalKey } from './key.dto.js';
import { KeyIssuer } from './key-issuer.js';
import '../machine.messages.js';

/** Keys by which the programs of a person act in one organization. They end with the membership. */
@Injectable()
export class PersonalKeyService {
  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialRepository,
    private readonly members: MembershipDirectory,
    private readonly tenantLock: TenantLock,
    private readonly signIns: SignInCheck,
    private readonly issuer: KeyIssuer,
  ) {}

  /** Lists the keys of a person in all organizations, with why an organization refuses one now. */
  async list(userId: UserId, page: Page): Promise<PersonalKey[]> {
    const keys: PersonalKey[] = [];
    for (const key of await this.credentials.listOfPerson(userId, page)) {
      const { tenantId, acr, voucher } = key;
      const signIn = { userId, ...(acr && { acr }), ...(voucher && { voucher }) };
      keys.push({ ...key, refusedFor: refusalOf(await this.signIns.judgeKey(signIn, tenantId)) });
    }
    return keys;
  }

  /**
   * Creates a key. The organization's sign-in policy applies to the caller.
   * @throws {AppError} validation-error on `tenantId` for an organization of which the caller is no
   *   member, and as {@link KeyIssuer.create}; insufficient-user-authentication;
   *   forbidden if the organization has no keys of members
   */
  create(
    caller: PersonPrincipal,
    { tenantId: id, ...given }: CreatePersonalKeyDto,
  ): Promise<{ readonly credential: Credential; readonly plainKey: string }> {
    const tenantId = id as TenantId;
    const { userId, sessionId } = caller;
    return this.tenantLock.underLock(tenantId, async () => {
      const isMember = await this.members.isMemberUncached(userId, tenantId);
      const holds = isMember ? await this.members.findScopePredicate(userId, tenantId, true) : null;
      const state = await this.members.findState(tenantId, true);
      if (!holds || !state || state.archived)
        throw AppError.violation('tenantId', 'must be an organization of yours that is not archived');
      await this.signIns.require(caller, tenantId);
      const { signInPolicy } = await this.members.findConditions(tenantId, true);
      const acr = strengthOf(caller, signInPolicy, tenantId);
      const key = { ...given, acr, sessionId, voucher: findAssurance(caller, tenantId) };
      return this.issuer.create({ tenantId, ownerKind: 'person', ownerId: userId }, userId, key, holds);
    });
  }

  /** @throws {AppError} not-found for a key of another person */
  revoke(userId: UserId, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const ended = isUlid(id) ? await this.credentials.endOwn(userId, id) : null;
      if (!ended) throw new AppError('not-found');
      await this.issuer.recordEnded(userId, [ended]);
    });
  }

  /** Ends the keys in organizations that the person has left, or that have suspended the person. */
  @OnLifecycle('memberships.ended', 'memberships.suspended', { order: LOCK.rows })
  async endOfMember({ userId, tenantIds }: LifecycleEvents['memberships.ended']): Promise<void> {
    await this.issuer.recordEnded(userId, await this.credentials.endOfPerson(userId, tenantIds));
  }

  @OnLifecycle('account.suspended', 'account.erased', { order: LOCK.rows })
  async endOfPerson({ userId }: LifecycleEvents['account.suspended']): Promise<void> {
    await this.issuer.recordEnded(userId, await this.credentials.endOfPerson(userId, null));
  }

  /** Ends the keys that a thief may have made, around a change of address that was undone. */
  @OnLifecycle('account.email-restored', { order: LOCK.rows })
  async endSuspect({ userId, suspectSince }: LifecycleEvents['account.email-restored']): Promise<void> {
    await this.issuer.recordEnded(userId, await this.credentials.endOfPersonSince(userId, suspectSince));
  }

  /** Ends the keys that a session made. */
  @OnLifecycle('session.traces-ended', { order: LOCK.rows })
  async endOfSession({ userId, sessionId }: LifecycleEvents['session.traces-ended']): Promise<void> {
    await this.issuer.recordEnded(userId, await this.credentials.endOfSession(userId, sessionId));
  }
}

function refusalOf(shortfall: Shortfall | null): KeyRefusal | null {
  if (shortfall === null) return null;
  return shortfall.connectionId === undefined ? 'second_factor' : 'single_sign_on';
}
