export { MachineAuthenticator } from './keys/machine-authenticator.js';
export { MachineModule } from './machine.module.js';
