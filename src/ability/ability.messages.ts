import { declareMessages } from '../platform/messages/index.js';

/** Reasons for a denial that no policy gives. */
const messages = declareMessages({
  'ability.unknown-scope': 'There is no such permission.',
  'ability.tenant-required': 'Select an organization first.',
  'ability.scope-not-held': 'Your roles do not include this permission.',
  'ability.held-on-other-things': 'Your roles include this permission for other things only.',
  'ability.client-without-scope': 'This application does not have this permission. Try it in the main app.',
  'ability.people-only': 'This is for people. A service account cannot do it.',
  'ability.key-without-scope': 'This key does not have this permission. The roles of its account may.',
  'ability.changed-concurrently': 'Another change to the same is in progress. Try again.',
  'ability.impersonation': 'Support cannot do this for a person. Only the person can.',
  'ability.subject-mismatch': 'The subject is not of the type this permission applies to.',
  'ability.subject-not-found': 'The subject does not exist in this organization.',
  'ability.second-factor-required': 'This needs a second factor. Confirm with yours, or add one first.',
  'ability.passkey-required': 'This needs a passkey. Confirm with yours, or add one first.',
  'ability.authentication-insufficient':
    'Your last sign-in is too long ago for this. Confirm that it is you, then try again.',
  'ability.tenant-second-factor':
    'This organization requires a second factor. Confirm with yours, or add one first.',
  'ability.tenant-connection': "Sign in by your organization's own provider, which it requires.",
  'ability.tenant-passkey': 'This organization requires a passkey. Confirm with yours, or add one first.',
  'ability.tenant-sign-in-too-old':
    'Your last sign-in is too long ago for this organization. Confirm that it is you, then try again.',
  'ability.own-proof':
    'You signed in by an organization only. Confirm by a password or factor of yours, or set a password by mail.',
  'ability.tenant-other-connection':
    'You signed in by another organization only. Confirm by a password or factor of yours, or set a password by mail.',
  'ability.key-without-sso':
    'This key was made without the single sign-on that the organization now requires. Sign in by it, and make a new key.',
  'ability.key-too-weak':
    'This key was made with a weaker sign-in than the organization asks for now. Make a new one.',
  'ability.station': 'At a shared station you cannot do this. Sign in on a device of your own.',
  'ability.tenant-session-too-old': 'Your session is too old for this organization. Sign in again.',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
