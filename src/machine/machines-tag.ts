import { Tag } from '../platform/api/index.js';

/** Groups operations under the API tag "Service accounts". */
export const MachinesTag = () =>
  Tag('Service accounts', 'Members of an organization that are programs, and their keys.');
