import { ExternalSignInError, ProblemError, UnreachableError } from '@gatehouse/client';

/** An error as the page explains it. */
export interface Explanation {
  readonly title: string;
  /** What happened, and what the user can do. */
  readonly text: string;
  /** Whether a repetition may succeed. */
  readonly transient: boolean;
}

const secondsOf = ({ retryAfterSeconds }: ProblemError | UnreachableError): string =>
  retryAfterSeconds === null || retryAfterSeconds <= 1 ? 'a moment' : `${retryAfterSeconds} seconds`;

/**
 * Explains an error to the user. Uses the service's own message where there is one; the form shows
 * violations at their fields.
 */
export function explain(error: unknown): Explanation {
  if (error instanceof ExternalSignInError)
    return { title: 'That sign-in did not work', text: error.message, transient: false };
  if (error instanceof UnreachableError)
    return {
      title: 'The service cannot be reached',
      text: `Check your connection, then try again in ${secondsOf(error)}. Nothing has been lost.`,
      transient: true,
    };
  if (!(error instanceof ProblemError))
    return { title: 'Something went wrong on this page', text: 'Load it again.', transient: true };
  switch (error.code) {
    case 'too-many-requests':
      return {
        title: 'Too many attempts',
        text: `Wait ${secondsOf(error)}, then try again.`,
        transient: true,
      };
    case 'unavailable':
      return {
        title: 'The service is temporarily unavailable',
        text: `Try again in ${secondsOf(error)}. You remain signed in.`,
        transient: true,
      };
    case 'internal':
      return {
        title: 'Something went wrong on our side',
        text: `Try again. If it happens again, report it with the number ${error.requestId}.`,
        transient: true,
      };
    case 'validation-error':
      return {
        title: 'Some fields are not valid',
        text: error.violations.map(({ message }) => sentence(message)).join(' '),
        transient: false,
      };
    case 'insufficient-user-authentication':
      return {
        title: 'You have not confirmed that it is you',
        text: 'Nothing was changed. Try again, and confirm when you are asked.',
        transient: false,
      };
    case 'not-found':
      return {
        title: 'It no longer exists',
        text: 'It may have been removed. Load the page again.',
        transient: false,
      };
    default:
      return { title: error.title, text: error.message, transient: false };
  }
}

/**
 * Completes the service's messages about fields, such as "must be an e-mail address", to sentences.
 */
export function sentence(message: string): string {
  const text = /^(?:must|is|cannot) /.test(message) ? `This ${message}` : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
