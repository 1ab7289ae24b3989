import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/index.js';
import { columnsOf, Database, prepared } from '../../platform/database/index.js';
import { PermissionModuleEntity } from './permission-module.entity.js';

export type PermissionModule = PermissionModuleEntity;

const COLUMNS = columnsOf(PermissionModuleEntity, 'm');
const LIST = prepared(`SELECT ${COLUMNS} FROM permission_modules m ORDER BY m.module`);

/** Permissions that operators have registered for other services: a few rows. */
@Injectable()
export class PermissionModuleRepository {
  constructor(private readonly database: Database) {}

  list(): Promise<PermissionModule[]> {
    return this.database.rows(LIST);
  }

  /** Finds modules by name or id. */
  findNamed(
    namesOrIds: readonly string[],
    lock: boolean,
  ): Promise<Pick<PermissionModule, 'module' | 'id'>[]> {
    return this.database.rows(
      `SELECT module, id FROM permission_modules WHERE module = ANY($1) OR id = ANY($1) ${lock ? 'FOR UPDATE' : ''}`,
      [namesOrIds],
    );
  }

  /** Inserts or replaces a module. */
  async set({
    module,
    title,
    permissions,
  }: Pick<PermissionModule, 'module' | 'title' | 'permissions'>): Promise<PermissionModule> {
    const [row] = await this.database.rows<PermissionModule>(
      `INSERT INTO permission_modules AS m (module, id, title, permissions) VALUES ($1, $2, $3, $4)
       ON CONFLICT (module) DO UPDATE SET title = $3, permissions = $4, updated_at = now()
       RETURNING ${COLUMNS}`,
      [module, newId(), title, JSON.stringify(permissions)],
    );
    return row as PermissionModule;
  }

  /** @returns the id of the deleted module; null if there is none */
  async delete(module: string): Promise<string | null> {
    const [row] = await this.database.rows<{ id: string }>(
      'DELETE FROM permission_modules WHERE module = $1 RETURNING id',
      [module],
    );
    return row?.id ?? null;
  }
}
