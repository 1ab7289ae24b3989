import { declareMessages } from '../../messages/index.js';

/** Texts of the pages for people whose request was refused. */
const messages = declareMessages({
  'error-page.invalid.title': 'The request is not valid',
  'error-page.invalid.lead': 'Go back, and try again.',
  'error-page.unauthenticated.title': 'Sign in first',
  'error-page.unauthenticated.lead': 'This address is for signed-in users.',
  'error-page.not-found.title': 'Page not found',
  'error-page.not-found.lead': 'The address may be mistyped, or the page has moved.',
  'error-page.too-many.title': 'Too many requests',
  'error-page.too-many.lead': 'Wait a minute, then load the page again.',
  'error-page.internal.title': 'Something went wrong on our side',
  'error-page.internal.lead': 'Try again later. If it happens again, report it with the number below.',
  'error-page.unavailable.title': 'Service temporarily unavailable',
  'error-page.unavailable.lead': 'Load the page again in a minute.',
  'error-page.home': 'Go home',
  'error-page.documentation': 'API documentation',
});

declare module '../../messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
