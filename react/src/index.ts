export { type Organization, type User } from './account.js';
export { type Progress } from './attempt.js';
export {
  OrganizationSwitch,
  type OrganizationSwitchProps,
  UserMenu,
  type UserMenuProps,
} from './components.js';
export { useCan, useGatehouse, useRefreshPermissions, useSession } from './hooks.js';
export { type HostedReturn } from './hosted-return.js';
export {
  type HostedSignIn,
  type HostedSignInOptions,
  ProtectedPage,
  type ProtectedPageProps,
  SignInButton,
  type SignInButtonProps,
  useCompleteHostedSignIn,
  useHostedSignIn,
} from './hosted.js';
export { type Permission } from './permission-store.js';
export { Protected, type ProtectedProps } from './protected.js';
export { GatehouseProvider, type GatehouseProviderProps } from './provider.js';
export { type Resource } from './resource-store.js';
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
export { type Organizations, type Refreshable, useOrganizations, useUser } from './user.js';
