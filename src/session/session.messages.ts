import { declareMessages } from '../platform/messages/index.js';

export const messages = declareMessages({
  'session.ended': 'The session has ended already.',
  'mail.email-code.within':
    'The code is valid for ten minutes and can be used once. Do not tell it to anyone.',
  'mail.sign-in-code.subject': 'Your sign-in code',
  'mail.sign-in-code.code': 'Your code to sign in: {code}',
  'mail.sign-in-code.was-not-you':
    'The link works in the browser in which you asked for it. If it was not you, ignore this mail.',
  'mail.sign-in-code.sign-in': 'Sign in',
  'mail.step-up-code.subject': 'Confirm that it is you',
  'mail.step-up-code.code': 'Your code to confirm who you are: {code}',
  'mail.step-up-code.was-not-you':
    'A person who is signed in to your account asked for it. If it was not you, sign out of all devices.',
  'mail.impersonation.subject': 'Support acted as you',
  'mail.impersonation.text': 'A member of support acted as you in {organization}, from {from} to {to}.',
  'mail.impersonation.trail':
    'Your audit trail shows what was done. If you do not know why, ask your organization.',
  'mail.impersonation.your-organization': 'your organization',
  'mail.session-traces.subject': 'What your earlier sessions made',
  'mail.session-traces.left': 'These were added to your account in a session, and stay after it:',
  'mail.session-traces.authenticator-app': 'Authenticator app {name}, {date}',
  'mail.session-traces.passkey': 'Passkey {name}, {date}',
  'mail.session-traces.trusted-device': 'Trusted device, {date}',
  'mail.session-traces.identity': 'Sign-in by a provider, {date}',
  'mail.session-traces.personal-key': 'Key of your own {name}, {date}',
  'mail.session-traces.end': 'If one of them is not yours, end with one press what its session made.',
  'mail.session-traces.see': 'See what sessions made',
  'scope.session': 'Sessions',
  'scope.session.end': 'End own sessions',
  'error.not-a-member': 'You are not a member of this organization.',
  'sign-in.wrong-code': 'The code is wrong, expired or used. Ask for a new one.',
  'sign-in.passkey-refused': 'This passkey cannot be used to sign in.',
  'sign-in.challenge-not-valid': 'is unknown, expired or used. Sign in again.',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
