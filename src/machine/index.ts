export { ClientAuthentication } from './clients/client-authentication.js';
export { type Actor, Federation } from './trust/federation.js';
export { MachineAuthenticator } from './keys/machine-authenticator.js';
export { ServiceAccountOperations } from './accounts/service-account-operations.js';
export { MachineModule } from './machine.module.js';
