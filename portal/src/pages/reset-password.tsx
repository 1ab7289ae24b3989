import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { gatehouse } from '../session/gatehouse.ts';
import { mailedToken } from '../session/mailed-token.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { NewPasswordField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { SignInFrame } from '../ui/frames.tsx';
import { Sheet } from '../ui/page.tsx';
import { isSpent } from './verify-email.tsx';

/** Sets a new password by a mailed link. */
export function ResetPassword() {
  const [token] = useState(mailedToken);
  const reset = useMutation({
    mutationFn: (body: { token: string; newPassword: string }) =>
      gatehouse.post('/api/v1/iam/auth/reset-password', { body }),
  });
  if (reset.isSuccess)
    return (
      <SignInFrame>
        <Sheet
          title="Your password is changed"
          lead="Every device that was signed in has been signed out. Sign in with the new password."
        >
          <Link href={PAGE_PATHS.signIn} className="button primary">
            Sign in
          </Link>
        </Sheet>
      </SignInFrame>
    );
  if (token === null || isSpent(reset.error))
    return (
      <SignInFrame>
        <Sheet title="This link is not valid any more" lead="It has been used, or is older than an hour.">
          <Link href={PAGE_PATHS.forgottenPassword} className="button primary">
            Ask for a new link
          </Link>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title="Choose a new password" focusTitle={false}>
        <Form
          error={reset.error}
          onSubmit={(values) => reset.mutate({ token, newPassword: String(values.get('newPassword')) })}
        >
          <NewPasswordField name="newPassword" autoFocus />
          <Button type="submit" look="primary" isPending={reset.isPending}>
            Change the password
          </Button>
        </Form>
      </Sheet>
    </SignInFrame>
  );
}
