import { Inject, Injectable } from '@nestjs/common';
import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../../ability/index.js';
import { type Principal, SENSITIVE } from '../../../kernel/index.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantLockedPolicy } from './tenant-lock.js';
import type { TenantState } from './tenant.entity.js';
import '../organization.messages.js';

/**
 * Base of the policies on what an organization has once, such as its sign-in policy: it has the id
 * of the organization.
 */
@Injectable()
export abstract class OwnTenantPolicy extends TenantLockedPolicy implements EntityPolicy<TenantState> {
  @Inject(MembershipDirectory)
  private readonly directory!: MembershipDirectory;

  /** Loads the selected tenant only. */
  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, TenantState>> {
    const { tenantId } = principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const state = await this.directory.findState(tenantId, lock);
    return new Map(state?.deletionStarted === false ? [[tenantId, state]] : []);
  }

  defaultSubject({ tenantId }: Principal): string | null {
    return tenantId;
  }
}

/** Permissions on the branding of an organization, which has the id of the organization. */
@AbilityPolicy({ module: 'iam', entity: 'branding', collection: 'brandings' })
@Scope('read', { allowedWhenArchived: true })
@Scope('update')
export class BrandingPolicy extends OwnTenantPolicy {}

/** Permissions on the sign-in policy of an organization, which has the id of the organization. */
@AbilityPolicy({ module: 'iam', entity: 'sign-in-policy', collection: 'sign-in-policies' })
@Scope('read', { allowedWhenArchived: true })
@Scope('update', { ...SENSITIVE })
export class SignInPolicyPolicy extends OwnTenantPolicy {}

/** Permission to ask what members of an organization may do, for its service accounts. */
@AbilityPolicy({ module: 'access', entity: 'decision', collection: 'decisions' })
@Scope('read', { allowedWhenArchived: true })
export class DecisionPolicy extends OwnTenantPolicy {}

/** Permissions on the registered things of an organization, which together have its id. */
@AbilityPolicy({ module: 'access', entity: 'thing', collection: 'things' })
@Scope('read', { allowedWhenArchived: true })
@Scope('update', { impersonation: false })
export class ThingPolicy extends OwnTenantPolicy {
  /** Changes of things have their own lock: members and roles do not wait for them. */
  override lock(): Promise<void> {
    return Promise.resolve();
  }
}
