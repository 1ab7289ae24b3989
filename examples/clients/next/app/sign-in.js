'use client';

import { useSignIn } from '@gatehouse/react';

export function SignIn() {
  const { signIn, isPending, error } = useSignIn();
  const submit = (event) => {
    event.preventDefault();
    void signIn(Object.fromEntries(new FormData(event.currentTarget)));
  };
  return (
    <form onSubmit={submit}>
      <h1>Sign in</h1>
      <label>
        Email <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button disabled={isPending}>Sign in</button>
      <p role="alert">{error?.message}</p>
    </form>
  );
}
