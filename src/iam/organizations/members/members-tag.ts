import { Tag } from '../../../platform/api/index.js';

/** Groups operations under the API tag "Members". */
export const MembersTag = () => Tag('Members', 'Members of an organization, and invitations to it.');
