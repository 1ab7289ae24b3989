import { declareMessages } from '../platform/messages/index.js';

export const messages = declareMessages({
  'authorize.refused.title': 'This app cannot sign you in',
  'authorize.refused.client':
    'The app is not registered here, or is disabled. Go back to it and start again. If it happens again, tell the people who run the app.',
  'authorize.refused.document':
    'The app is not one that can sign you in here. Ask an administrator of your organization to allow it. If they do, tell the people who run the app.',
  'authorize.refused.redirect-uri':
    'The address to which the app returns is not registered. Go back to the app and start again. If it happens again, tell the people who run the app.',
  'authorize.refused.request':
    'The request of the app is unknown, used or expired. Go back to the app and start again. If it happens again, tell the people who run the app.',
  'authorize.answer.title': 'Continue to the app',
  'authorize.answer.lead': 'Your browser goes there automatically. If it does not, press the button.',
  'authorize.answer.continue': 'Continue',
  'logout.refused.title': 'This app cannot sign you out',
  'logout.refused.client':
    'The app is not registered here, or is disabled. You were not signed out. Sign out on the page of your account. If it happens again, tell the people who run the app.',
  'logout.refused.redirect-uri':
    'The address to which the app returns is not registered. You were not signed out. Sign out on the page of your account. If it happens again, tell the people who run the app.',
  'logout.refused.hint':
    'The request names another app than the one that you signed in to. You were not signed out. Sign out on the page of your account. If it happens again, tell the people who run the app.',
  'error.agent-not-allowed': 'Your organization does not allow this app. Ask an administrator to allow it.',
  'device.wrong-code': 'This code is unknown, used or expired. Check the screen of the device.',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
