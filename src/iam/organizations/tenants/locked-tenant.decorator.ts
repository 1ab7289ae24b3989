import { Injectable, Param, type PipeTransform } from '@nestjs/common';
import type { Locked, TenantId } from '../../../kernel/index.js';
import { ApiParam } from '../../../platform/api/index.js';
import { TenantLock } from './tenant-lock.js';

@Injectable()
class LockedTenantPipe implements PipeTransform<TenantId, Locked<TenantId>> {
  constructor(private readonly lock: TenantLock) {}

  transform(tenantId: TenantId): Locked<TenantId> {
    return this.lock.requireLocked(tenantId);
  }
}

/**
 * Injects the organization that the path names by `:id` into a command whose policy has locked it,
 * as a `Locked<TenantId>`.
 * @throws {Error} if the policy takes no lock
 */
export const LockedTenant = (): ParameterDecorator => (target, key, index) => {
  Param('id', LockedTenantPipe)(target, key, index);
  if (key === undefined) return;
  // Not read from the type of the parameter, no class. Decorators may still wrap the method.
  const method = {
    get value(): unknown {
      return Reflect.get(target, key);
    },
  };
  ApiParam({ name: 'id', type: String })(target, key, method);
};
