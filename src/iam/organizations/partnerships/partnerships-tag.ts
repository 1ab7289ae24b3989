import { Tag } from '../../../platform/api/index.js';

/** Groups operations under the API tag "Partners". */
export const PartnersTag = () =>
  Tag('Partners', 'Access of people of other organizations, without a membership.');
