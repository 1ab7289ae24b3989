export { AccountService } from './accounts/account.service.js';
export { CredentialService } from './accounts/credential.service.js';
export { IamModule } from './iam.module.js';
