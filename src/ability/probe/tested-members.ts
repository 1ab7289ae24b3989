import { Injectable } from '@nestjs/common';
import {
  FIRST_PARTY_CLIENT,
  newId,
  type Principal,
  type SessionId,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { AbilityService } from '../ability.service.js';
import { denialError, deny } from '../decision.js';
import { HeldScopes } from '../scopes/held-scopes.js';

/** Lets a caller ask what members of the organization may do. */
export const ABOUT_MEMBERS = 'access:decision:read';

/** Says as whom the permissions of a member are tested. */
@Injectable()
export class TestedMembers {
  constructor(
    private readonly abilities: AbilityService,
    private readonly held: HeldScopes,
  ) {}

  /**
   * Finds as whom the permissions of a member are tested: with the member's roles, and a sign-in
   * that the organization accepts.
   * @returns null for a person without access to the organization
   * @throws {AppError} forbidden without `access:decision:read`
   */
  async find(caller: Principal, userId: UserId): Promise<Principal | null> {
    const [decision = deny('scope_not_held')] = await this.abilities.decide(caller, [
      { scope: ABOUT_MEMBERS },
    ]);
    if (!decision.allowed) throw denialError(decision);
    const { tenantId } = caller;
    if (!tenantId) throw denialError(deny('scope_not_held'));
    const active = await this.held.assignments.findActive(tenantId, [userId]);
    return active.has(userId) ? memberOf(tenantId, userId) : null;
  }
}

/** A member with the best sign-in: only who has the session knows how it began. */
export function memberOf(tenantId: TenantId, userId: UserId): Principal {
  const now = new Date();
  return {
    kind: 'person',
    userId,
    clientId: FIRST_PARTY_CLIENT,
    tenantId,
    sessionId: newId() as SessionId,
    grantId: newId(),
    authTime: now,
    aal2Time: now,
    phrTime: now,
    trustedDevice: false,
    assuredBy: [tenantId],
  };
}
