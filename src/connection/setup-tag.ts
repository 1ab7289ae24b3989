import { Tag } from '../platform/api/index.js';

/** Groups operations under the API tag "Set-up". */
export const SetupTag = () =>
  Tag('Set-up', 'What the holder of a set-up link does for an organization, without an account.');
