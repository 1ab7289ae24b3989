import { Tag } from '../platform/api/index.js';
import { Bucket } from '../platform/rate-limit/index.js';

/** Groups operations under the API tag "Directories". */
export const DirectoriesTag = () =>
  Tag('Directories', 'Sources of people and groups of an organization, which call SCIM 2.0.');

/** Per directory, instead of the general buckets. */
export const SCIM_LIMIT = new Bucket('scim', 'RATE_SCIM');
