import { Tag } from '../../../platform/api/index.js';

/** What is told of under "Members" in the API documentation. */
export const MembersTag = () => Tag('Members', 'The people of an organization, and invitations to it.');
