import { Tag } from '../../../platform/api/index.js';

/** API tag of the operations on organizations. */
export const OrganizationsTag = () =>
  Tag('Organizations', 'Tenants: create, read, rename, archive, restore, delete and leave them.');
