export { AccountService } from './accounts/account.service.js';
export { CredentialService } from './accounts/credential.service.js';
export { ErasureList } from './accounts/erasure-list.js';
export { AuditTrail } from './audit/audit-trail.js';
export { IamModule } from './iam.module.js';
export { heldMembership } from './members/member.repository.js';
export { MembershipDirectory } from './members/membership-directory.js';
export { OperatorService } from './operators/operator.service.js';
