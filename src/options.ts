import type { DynamicModule, Type } from '@nestjs/common';
import type { MigrationClass } from './platform/database/index.js';

/**
 * A module of another team. Its routes, scopes and listeners are discovered like those of this
 * service.
 */
export type TeamModule = Type | DynamicModule;

/** What another team's repository adds to the service: docs/own-repository.md. */
export interface GatehouseOptions {
  readonly modules?: readonly TeamModule[];
  /** Classes of TypeORM's migrations, which run after the service's. */
  readonly migrations?: readonly MigrationClass[];
}
