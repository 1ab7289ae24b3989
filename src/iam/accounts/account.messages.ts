import { declareMessages } from '../../platform/messages/index.js';

/** Texts of the mails about accounts, and of refused passwords. */
export const messages = declareMessages({
  'password.common': 'This password is on a list of passwords that attackers try first. Choose another one.',
  'password.own-words':
    'This password is your address, your name or your organization, which attackers try first. Choose another one.',
  'mail.go-to-app': 'Go to the app',
  'mail.verification.subject': 'Verify your email address',
  'mail.verification.registered':
    'An account was registered with this email address at {registeredAt}. The person who registered typed the first name {name}.',
  'mail.verification.registered-without-name':
    'An account was registered with this email address at {registeredAt}. The person who registered typed a first name that cannot be shown here.',
  'mail.verification.was-you':
    'If it was you, verify the address within 24 hours. You need the password that you chose.',
  'mail.verification.was-not-you': 'If it was not you, refuse the registration. No account is created then.',
  'mail.verification.verify': 'Verify this address',
  'mail.verification.refuse': 'This was not me',
  'mail.already-registered.subject': 'You already have an account',
  'mail.already-registered.was-you':
    'Someone tried to register an account with this email address, which already has one. If it was you, sign in, or reset your password if you have forgotten it.',
  'mail.already-registered.was-not-you': 'If it was not you, there is nothing to do. Nothing was changed.',
  'mail.already-registered.sign-in': 'Go to the sign-in page',
  'mail.choose-password.subject': 'Choose a password for your account',
  'mail.choose-password.ready':
    'You verified this email address, and your account is ready. The address was registered with different passwords, so none of them is used.',
  'mail.choose-password.within':
    'Choose your password within one hour. Later, ask for a new link with "Forgot password?" on the sign-in page.',
  'mail.choose-password.choose': 'Choose a password',
  'mail.password-reset.subject': 'Reset your password',
  'mail.password-reset.was-you':
    'Someone asked to reset the password of your account. If it was you, choose a new one: the link works once, within one hour.',
  'mail.password-reset.was-not-you': 'If it was not you, ignore this mail. Your password stays as it is.',
  'mail.password-reset.choose': 'Choose a new password',
  'mail.new-password-required.subject': 'Choose a new password',
  'mail.new-password-required.removed':
    'The support of this service has asked you to choose a new password. Your previous one no longer works, and your devices have been signed out.',
  'mail.new-password-required.within':
    'The link works once, within one hour. Later, ask for a new one with "Forgot password?" on the sign-in page.',
  'mail.export-ready.subject': 'Your data is ready',
  'mail.export-ready.ready':
    'You asked for everything that this service keeps about you. Sign in to download it within seven days.',
  'mail.export-ready.was-not-you':
    'If you did not ask for it, change your password, and end the sessions that you do not know.',
  'mail.export-ready.by-support':
    'Support of this service has, for you, put together everything that the service keeps about you. Sign in to download it within seven days.',
  'mail.export-ready.for-you-alone': 'Only you can open it. Support cannot.',
  'mail.password-changed.subject': 'Your password was changed',
  'mail.password-changed.changed':
    'The password of your account was changed, and devices that were signed in before have been signed out.',
  'mail.password-changed.was-not-you':
    'If it was not you, reset the password at once and tell your administrator.',
  'mail.confirm-email.subject': 'Confirm your new email address',
  'mail.confirm-email.asked': 'Someone asked to use this email address for their account from now on.',
  'mail.confirm-email.was-you':
    'If it was you, confirm the address within 24 hours. From then on, you sign in with it.',
  'mail.confirm-email.was-not-you':
    'If it was not you, ignore this mail and do not open the link. Nothing is changed then.',
  'mail.confirm-email.confirm': 'Confirm this address',
  'mail.email-taken.subject': 'This email address has an account already',
  'mail.email-taken.asked':
    'Someone asked to use this email address for another account. It belongs to your account, so nothing was changed.',
  'mail.email-taken.was-you':
    'If it was you, sign in with this address instead. An address can have one account only.',
  'mail.email-taken.was-not-you': 'If it was not you, there is nothing to do.',
  'mail.email-changed.subject': 'The email address of your account was changed',
  'mail.email-changed.changed':
    'Your account now has another email address. You sign in with that address, and mails go to it.',
  'mail.email-changed.was-not-you':
    'If it was not you, restore this address within seven days. All devices are signed out then, and you choose a new password.',
  'mail.email-changed.undo': 'Restore this address',
  'mail.email-restored.subject': 'Your email address was restored',
  'mail.email-restored.restored':
    'Your account has this email address again. All devices were signed out, and the password was removed.',
  'mail.email-restored.choose':
    'Choose a new password within one hour. Later, ask for a new link with "Forgot password?" on the sign-in page. Then remove passkeys and authenticator apps that you do not know, and create new recovery codes.',
  'mail.new-network.subject': 'New sign-in to your account',
  'mail.new-network.signed-in':
    'Someone signed in to your account from a network that was not used for it before.',
  'mail.new-network.time': 'Time: {time}',
  'mail.new-network.browser': 'Browser: {device}',
  'mail.new-network.address': 'IP address: {ipAddress}',
  'mail.new-network.was-not-you':
    'If it was you, there is nothing to do. If it was not you, reset your password at once: this signs out every device.',
  'mail.account-erased.subject': 'Your account was erased',
  'mail.account-erased.erased':
    'Your account was erased at the request of a person who was signed in to it. All personal data in it was removed. This cannot be undone.',
  'mail.account-erased.was-not-you':
    'If it was not you, another person had access to your account. Tell the operator of this service, and change the password on other sites where you use it.',
  'mail.account-erased.last':
    'This is the last mail about this account. You can register again with the same address at any time.',
  'error.invalid-credentials': 'The email address or the password is wrong.',
  'error.email-not-verified': 'The email address has not been verified yet.',
  'password.wrong': 'The password is wrong.',
  'password.current-wrong': 'The current password is wrong.',
  'password.no-recipient': 'The account is suspended, or has no address to which a link could go.',
  'password.too-many-mails':
    'This address has received too many of these mails. Wait an hour, then try again.',
  'export.one-a-day':
    'You have asked for your data within the last day. Use that export, or ask again later.',
  'export.person-one-a-day': 'An export of this person was started within the last day. Try again later.',
  'export.page.title': 'What is kept about you',
  'export.page.lead': 'As of {time}. Secrets, such as your password, are left out.',
  'export.page.entries': '{count, plural, =0 {No entries} one {# entry} other {# entries}}',
  'export.page.yes': 'yes',
  'export.page.no': 'no',
  'export.not-ready': 'Your data is not ready yet. A mail tells when it is.',
  'password.none': 'This account has no password. Sign in again by an external provider instead.',
  'password.link-not-valid': 'The link is not valid any more. Ask for a new one with request-password-reset.',
  'registration.wrong-password':
    'No registration of this address has this password. Enter the one that you registered with.',
  'registration.link-not-valid':
    'The link is not valid any more. Ask for a new one with resend-verification.',
  'email-change.managed':
    'A directory of your organization manages this address. Ask your administrator to change it there.',
  'email-change.own-address': 'This is the address of your account already.',
  'email-change.too-many': 'You can ask for {max} changes of your address a day. Try again tomorrow.',
  'email-change.link-not-valid': 'The link is not valid any more. Ask for the change again in your account.',
  'email-change.undo-not-valid': 'The link is not valid any more. Ask an operator of this service for help.',
});

declare module '../../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
