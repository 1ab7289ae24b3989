import { declareMessages } from '../platform/messages/index.js';

/** Refusals, and texts of the mails about second factors. */
export const messages = declareMessages({
  'authenticator.required-by-organization':
    'An organization of yours requires it. Add another one first, or leave the organization.',
  'authenticator.of-other-organization':
    'It counts in another organization. Sign in by what is yours, or as that organization asks, to change it.',
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
  'mail.totp-renamed.subject': 'Authenticator app renamed',
  'mail.totp-renamed.text': 'An authenticator app of your account has a new name.',
  'mail.passkey-renamed.subject': 'Passkey renamed',
  'mail.passkey-renamed.text': 'A passkey of your account has a new name.',
  'mail.trusted-device-removed.subject': 'Device no longer trusted',
  'mail.trusted-device-removed.text':
    'You have removed a trusted device. The next sign-in there asks for the second factor.',
  'mail.recovery-codes-renewed.subject': 'New recovery codes',
  'mail.recovery-codes-renewed.text':
    'New recovery codes were created for your account. The former ones no longer work.',
  'mail.recovery-code-used.subject': 'Recovery code used',
  'mail.recovery-code-used.text':
    'A recovery code of your account was used. {left, plural, =0 {None is left: create new ones.} one {One is left.} other {# are left.}}',
  'mail.totp-blocked.subject': 'Authenticator app blocked',
  'mail.totp-blocked.text':
    'Too many wrong codes were entered after your password. Codes of your authenticator app are refused until you use a recovery code or a passkey. Change your password.',
  'mail.authenticators-reset-scheduled.subject': 'Your second factors will be removed',
  'mail.authenticators-reset-scheduled.text':
    'Support was asked to remove the second factors of your account: authenticator apps, passkeys and recovery codes. They are removed at {time}. From then on, your password or provider alone signs you in.',
  'mail.authenticators-reset-scheduled.reason': 'Reason that support has noted: {reason}',
  'mail.authenticators-reset-scheduled.cancel':
    'If you did not ask for it, cancel it now, and change your password: another person may try to enter your account.',
  'mail.authenticators-reset-scheduled.action': 'Cancel the removal',
  'mail.authenticators-reset.subject': 'Second factors removed',
  'mail.authenticators-reset.text':
    'The second factors of your account were removed, as support was asked to. Add a new one now.',
  'mail.authenticators-reset-cancelled.subject': 'Second factors stay',
  'mail.authenticators-reset-cancelled.text':
    'The removal of your second factors was cancelled. Nothing has changed.',
  'person.no-second-factor': 'This person has no second factor.',
  'person.reset-pending': 'A reset of this person is waiting already. Wait for it, or have it cancelled.',
  'mail.password-removed.subject': 'Password removed',
  'mail.password-removed.text': 'The password was removed from your account. You sign in with your passkeys.',
  'error.invalid-second-factor': 'The second factor is wrong, or has been used already.',
  'authenticator.too-many': 'You have {max} of them already. Remove one first.',
  'authenticator.passkey-registered': 'This passkey is registered already.',
  'authenticator.none-yet': 'Add an authenticator app or a passkey first.',
  'authenticator.no-recovery':
    'Add a second passkey, or create recovery codes, so that you can still sign in if you lose one.',
  'authenticator.no-six-digits': 'must be the six digits of a code',
  'authenticator.no-recovery-code': 'must be the ten characters of a recovery code',
  'authenticator.wrong-code': 'is not the current code of this app',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
