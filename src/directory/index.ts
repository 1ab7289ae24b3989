export { DirectoryModule } from './directory.module.js';
export { MembersOfGroups } from './records/members-of-groups.js';
export { ByDirectory, DirectoryAccess } from './scim/directory-access.js';
export { mendScimPath } from './scim/directory-access.js';
