import type { FindOneOptions, FindManyOptions, FindOptionsWhere, InsertResult } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import type { EntityRepository } from './database.js';

/** An entity whose rows belong to tenants. */
export interface OfTenant {
  readonly tenantId: TenantId | null;
}

/** A condition besides the tenant. No list: that would mean OR, with a tenant in each part. */
type Where<E> = Omit<FindOptionsWhere<E>, 'tenantId'>;
type One<E> = Omit<FindOneOptions<E>, 'where'> & { readonly where?: Where<E> };
type Many<E> = Omit<FindManyOptions<E>, 'where'> & { readonly where?: Where<E> };
type Insert<E extends OfTenant> = Parameters<EntityRepository<E>['insert']>[0];
type Update<E extends OfTenant> = Parameters<EntityRepository<E>['update']>[1];

/**
 * Reads and changes rows of one entity in one tenant. Every method takes the tenant first and adds
 * it to the condition last, so that neither a caller's condition nor its absence leaves the tenant.
 */
export class TenantRows<E extends OfTenant> {
  /** @param repository of the transaction that is open at the time of the call */
  constructor(private readonly repository: () => EntityRepository<E>) {}

  async find(tenantId: TenantId, { where, ...options }: Many<E> = {}): Promise<E[]> {
    return this.repository().find({ ...options, where: within(tenantId, where) });
  }

  async findOne(tenantId: TenantId, { where, ...options }: One<E>): Promise<E | null> {
    return this.repository().findOne({ ...options, where: within(tenantId, where) });
  }

  async count(tenantId: TenantId, where?: Where<E>): Promise<number> {
    return this.repository().count({ where: within(tenantId, where) });
  }

  async insert(tenantId: TenantId, row: Omit<Insert<E>, 'tenantId'>): Promise<InsertResult> {
    return this.repository().insert({ ...row, tenantId } as Insert<E>);
  }

  /** Changes the fields that are not undefined, if any. @returns the number of changed rows */
  async update(tenantId: TenantId, where: Where<E>, changes: Omit<Update<E>, 'tenantId'>): Promise<number> {
    if (Object.values(changes).every((value) => value === undefined)) return 0;
    const { affected } = await this.repository().update(within(tenantId, where), changes as Update<E>);
    return affected ?? 0;
  }

  /** @returns the number of removed rows */
  async delete(tenantId: TenantId, where: Where<E>): Promise<number> {
    return (await this.repository().delete(within(tenantId, where))).affected ?? 0;
  }
}

const within = <E extends OfTenant>(tenantId: TenantId, where?: Where<E>): FindOptionsWhere<E> =>
  ({ ...where, tenantId }) as FindOptionsWhere<E>;
