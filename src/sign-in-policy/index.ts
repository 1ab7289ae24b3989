export { SignInPolicyModule } from './sign-in-policy.module.js';
