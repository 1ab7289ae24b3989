export { AuditModule } from './audit.module.js';
export { VerificationService, type Verified } from './verification/verification.service.js';
