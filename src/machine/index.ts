export { type AssertionKeys, ClientAssertions } from './clients/client-assertions.js';
export { ASSERTION_ALGORITHMS, findKeyFault, requirePublic } from './clients/client-key.js';
export { JwkDto } from './clients/dto/client-credential.dto.js';
export { ClientAuthentication } from './clients/client-authentication.js';
export { type Actor, Federation } from './trust/federation.js';
export { UsedAssertions } from './clients/used-assertions.js';
export { MachineAuthenticator } from './keys/machine-authenticator.js';
export { ServiceAccountOperations } from './accounts/service-account-operations.js';
export { MachineModule } from './machine.module.js';
