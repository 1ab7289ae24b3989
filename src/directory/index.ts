export { DirectoryModule } from './directory.module.js';
export { GroupMembershipRepository } from './records/group-membership.repository.js';
export { ByDirectory, DirectoryAccess } from './scim/directory-access.js';
export { mendScimPath } from './scim/directory-access.js';
