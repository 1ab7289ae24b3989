import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { gatehouse } from '../session/gatehouse.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { SignInFrame } from '../ui/frames.tsx';
import { Sheet } from '../ui/page.tsx';
import { MailboxHint } from './resend.tsx';

/** Requests a mail to choose a new password. Does not tell whether an address has an account. */
export function ForgottenPassword() {
  const request = useMutation({
    mutationFn: (email: string) =>
      gatehouse.post('/api/v1/iam/auth/request-password-reset', { body: { email } }),
  });
  if (request.isSuccess)
    return (
      <SignInFrame>
        <Sheet
          title="Check your mail"
          lead={<>If {request.variables} has an account, we have sent it a link to choose a new password.</>}
        >
          <p>It works once, within an hour.</p>
          <MailboxHint />
          <p>
            <Link href={PAGE_PATHS.signIn}>Back to the sign-in page</Link>
          </p>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet
        title="Forgotten your password?"
        lead="We send you a link by which you choose a new one."
        focusTitle={false}
      >
        <Form error={request.error} onSubmit={(values) => request.mutate(String(values.get('email')))}>
          <TextField
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="username"
            isRequired
            autoFocus
          />
          <Button type="submit" look="primary" isPending={request.isPending}>
            Send the link
          </Button>
        </Form>
        <p>
          <Link href={PAGE_PATHS.signIn}>Back to the sign-in page</Link>
        </p>
      </Sheet>
    </SignInFrame>
  );
}
