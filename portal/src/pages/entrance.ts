/** Pages before the sign-in, except the sign-in page itself; its second step. */
export { AcceptInvitation } from './accept-invitation.tsx';
export { Authorize } from './authorize.tsx';
export { ConfirmEmail } from './confirm-email.tsx';
export { Device } from './device.tsx';
export { EmailCode } from './email-code.tsx';
export { CancelAuthenticatorReset } from './cancel-authenticator-reset.tsx';
export { ForgottenPassword } from './forgotten-password.tsx';
export { RefuseRegistration } from './refuse-registration.tsx';
export { OrganizationSignIn } from './organization-sign-in.tsx';
export { Register } from './register.tsx';
export { ResetPassword } from './reset-password.tsx';
export { SecondFactor } from './second-factor.tsx';
export { SignOut } from './sign-out.tsx';
export { SignedIn } from './signed-in.tsx';
export { TestFinished } from './organization/single-sign-on/test-finished.tsx';
export { UndoEmail } from './undo-email.tsx';
export { VerifyEmail } from './verify-email.tsx';
