import { Tag } from '../platform/api/index.js';

/** Groups operations under the API tag "Workers". */
export const WorkersTag = () =>
  Tag('Workers', 'Members without an address, who sign in at shared stations by number and PIN.');

/** Groups operations under the API tag "Stations". */
export const StationsTag = () =>
  Tag('Stations', 'Shared devices of an organization, and the sign-ins at them.');
