import type { MigrationClass } from '../src/platform/database/migrate.js';
import { CreateSchema1795999000000 } from './1795999000000-create-schema.js';

/** Every migration, oldest first. */
export const migrations: readonly MigrationClass[] = [CreateSchema1795999000000];
