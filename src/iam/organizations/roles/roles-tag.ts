import { Tag } from '../../../platform/api/index.js';

/** Groups operations under the API tag "Roles". */
export const RolesTag = () =>
  Tag('Roles', 'Roles and their permissions: the built-in ones and those of the organization.');
