import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { mailedToken } from '../session/mailed-token.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { NewPasswordField, useWeakPasswordQuestion } from '../ui/new-password-field.tsx';
import { Sheet } from '../ui/page.tsx';
import { isSpent } from './verify-email.tsx';

/** Sets a new password by a mailed link. */
export function ResetPassword() {
  const [token] = useState(mailedToken);
  const question = useWeakPasswordQuestion();
  const reset = useMutation({
    mutationFn: (body: { token: string; newPassword: string }) =>
      gatehouse.post('/api/v1/iam/auth/reset-password', { body }),
  });
  if (reset.isSuccess)
    return (
      <SignInFrame>
        <Sheet title={text('reset.done.title')} lead={text('reset.done.lead')}>
          <p>
            <Link href={PAGE_PATHS.sessions}>{text('reset.done.traces')}</Link>
          </p>
          <Link href={PAGE_PATHS.signIn} className="button primary">
            {text('sign-in')}
          </Link>
        </Sheet>
      </SignInFrame>
    );
  if (token === null || isSpent(reset.error))
    return (
      <SignInFrame>
        <Sheet title={text('link-expired')} lead={text('reset.expired.lead')}>
          <Link href={PAGE_PATHS.forgottenPassword} className="button primary">
            {text('reset.expired.again')}
          </Link>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title={text('reset.title')} focusTitle={false}>
        <Form
          error={reset.error}
          onSubmit={(values, form) =>
            question.submit(form, 'newPassword', () =>
              reset.mutate({ token, newPassword: String(values.get('newPassword')) }),
            )
          }
        >
          <NewPasswordField name="newPassword" question={question} autoFocus />
          <Button type="submit" isPending={reset.isPending}>
            {text('reset.submit')}
          </Button>
        </Form>
      </Sheet>
    </SignInFrame>
  );
}
