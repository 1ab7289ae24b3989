import { Inject, Injectable } from '@nestjs/common';
import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../../ability/index.js';
import { type Principal, SENSITIVE, type TenantId } from '../../../kernel/index.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantLockedPolicy } from './tenant-lock.js';
import type { TenantState } from './tenant.entity.js';
import '../organization.messages.js';

/**
 * Base of the policies on an organization, and on what it has once: it has the id of the
 * organization.
 */
@Injectable()
export abstract class SelectedTenantPolicy<E> extends TenantLockedPolicy implements EntityPolicy<E> {
  /** @returns null for an organization that is unknown or being deleted */
  protected abstract find(tenantId: TenantId, context: LoadContext): Promise<E | null>;

  /** Loads for the selected tenant and no other. With `lock`, the policy has locked it before. */
  async load(ids: readonly string[], context: LoadContext): Promise<Map<string, E>> {
    const { tenantId } = context.principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const found = await this.find(tenantId, context);
    return new Map(found === null ? [] : [[tenantId, found]]);
  }

  defaultSubject({ tenantId }: Principal): string | null {
    return tenantId;
  }
}

/** Base of the policies that need the state of the organization only. */
@Injectable()
export abstract class OwnTenantPolicy extends SelectedTenantPolicy<TenantState> {
  @Inject(MembershipDirectory)
  private readonly directory!: MembershipDirectory;

  protected async find(tenantId: TenantId, { lock }: LoadContext): Promise<TenantState | null> {
    const state = await this.directory.findState(tenantId, lock);
    return state?.deletionStarted === false ? state : null;
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
