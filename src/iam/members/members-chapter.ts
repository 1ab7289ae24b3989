import { Tag } from '../../platform/http/index.js';

/** What is told of under "Members" in the API documentation. */
export const MembersChapter = () => Tag('Members', 'The people of an organization, and invitations to it.');
