import { declareMessages } from '../platform/messages/index.js';

/** Refusals, and texts of the mails about second factors. */
const messages = declareMessages({
  'authenticator.required-by-organization':
    'An organization of yours requires it. Add another one first, or leave the organization.',
  'mail.authenticators.was-not-you':
    'If it was not you, sign in, remove what you do not know, and change your password at once.',
  'mail.authenticators.see': 'Review your security settings',
  'mail.totp-added.subject': 'Authenticator app added',
  'mail.totp-added.text': 'An authenticator app was added to your account. Sign-ins now ask for its codes.',
  'mail.passkey-added.subject': 'Passkey added',
  'mail.passkey-added.text': 'A passkey was added to your account. It can be used to sign in.',
  'mail.totp-removed.subject': 'Authenticator app removed',
  'mail.totp-removed.text': 'An authenticator app was removed from your account.',
  'mail.passkey-removed.subject': 'Passkey removed',
  'mail.passkey-removed.text': 'A passkey was removed from your account.',
  'mail.recovery-codes-renewed.subject': 'New recovery codes',
  'mail.recovery-codes-renewed.text':
    'New recovery codes were created for your account. The former ones no longer work.',
  'mail.recovery-code-used.subject': 'Recovery code used',
  'mail.recovery-code-used.text':
    'A recovery code of your account was used. {left, plural, =0 {None is left: create new ones.} one {One is left.} other {# are left.}}',
  'mail.totp-blocked.subject': 'Authenticator app blocked',
  'mail.totp-blocked.text':
    'Too many wrong codes were entered after your password. Codes of your authenticator app are refused until you use a recovery code or a passkey. Change your password.',
  'mail.password-removed.subject': 'Password removed',
  'mail.password-removed.text': 'The password was removed from your account. You sign in with your passkeys.',
});

type AuthenticatorMessages = typeof messages;

declare module '../platform/messages/index.js' {
  interface MessageIds extends AuthenticatorMessages {}
}
