import { Tag } from '../platform/api/index.js';

/** Groups operations under the API tag "Directories". */
export const DirectoriesTag = () =>
  Tag('Directories', 'Sources of people and groups of an organization, which call SCIM 2.0.');
