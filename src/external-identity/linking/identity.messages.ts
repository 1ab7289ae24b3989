import { declareMessages } from '../../platform/messages/index.js';

/** Reasons and mails about linked identities. */
const messages = declareMessages({
  'identity.only-sign-in': 'This is your only sign-in method. Set a password or link another identity first.',
  'mail.identity-linked.subject': 'New sign-in method',
  'mail.identity-linked.linked': 'You can now sign in to your account with {provider}.',
  'mail.identity-linked.was-not-you':
    'If it was not you, sign in, unlink it under "Sign-in methods", and change your password.',
  'mail.identities-removed.subject': 'Sign-in methods removed',
  'mail.identities-removed.removed':
    'Your password was reset. These sign-in methods were unlinked, in case another person had added them: {providers}.',
  'mail.identities-removed.link-again':
    'To use them again, sign in with your new password and link them under "Sign-in methods".',
  'mail.identity-unlinked.subject': 'Sign-in method removed',
  'mail.identity-unlinked.unlinked': 'You can no longer sign in to your account with {provider}.',
  'mail.identity-unlinked.was-not-you':
    'If it was not you, reset your password: this signs out every device. Then link it again under "Sign-in methods".',
  'identity.page.unusable.title': 'This sign-in cannot be completed',
  'identity.page.unusable.lead':
    'It has expired, was used before, or was started in another browser. Sign in again where you started.',
  'identity.page.not-available.title': 'This sign-in method is not available',
  'identity.page.not-available.lead':
    'The identity provider is not configured here. Go back, and sign in another way.',
  'identity.page.to-provider.title': 'Continue to your identity provider',
  'identity.page.to-provider.lead':
    'Your browser goes there automatically. If it does not, press the button.',
  'identity.page.to-provider.continue': 'Continue',
  'identity.page.sign-out.title': 'This sign-out cannot be completed',
  'identity.page.sign-out.lead':
    'The request of your identity provider is not valid here. Sign out in the app.',
  'scope.identity': 'Linked identities',
  'scope.identity.unlink': 'Unlink own identities',
});

declare module '../../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
