import { onSignInChange } from './sign-in-state.ts';

let typed = '';

/**
 * The address that was typed at the sign-in, for the page that follows it: a forgotten password, a
 * mailed code, a registration. In memory alone, and until a session starts or ends: the next user
 * of a shared computer must not find it.
 */
export const typedEmail = {
  read: (): string => typed,
  note(email: string): void {
    typed = email;
  },
};

onSignInChange(() => typedEmail.note(''));
