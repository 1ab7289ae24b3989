export { useCan, useGatehouse, useRefreshPermissions, useSession } from './hooks.js';
export { type Permission } from './permission-store.js';
export { Protected, type ProtectedProps } from './protected.js';
export { GatehouseProvider, type GatehouseProviderProps } from './provider.js';
export { type Session } from './session-store.js';
export {
  type Completion,
  type FactorEntry,
  type SignIn,
  type SignOut,
  useCompleteSignIn,
  useSignIn,
  useSignOut,
} from './sign-in.js';
