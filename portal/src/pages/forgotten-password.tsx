import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { typedEmail } from '../session/typed-email.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
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
        <Sheet title={text('check-your-mail')} lead={text('forgot.sent', { email: request.variables })}>
          <p>{text('forgot.once')}</p>
          <MailboxHint />
          <p>
            <Link href={PAGE_PATHS.signIn}>{text('back-to-sign-in')}</Link>
          </p>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet title={text('forgot-password')} lead={text('forgot.lead')} focusTitle={false}>
        <Form error={request.error} onSubmit={(values) => request.mutate(String(values.get('email')))}>
          <TextField
            label={text('email')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={typedEmail.read()}
            isRequired
            autoFocus
          />
          <Button type="submit" isPending={request.isPending}>
            {text('forgot.submit')}
          </Button>
        </Form>
        <p>
          <Link href={PAGE_PATHS.signIn}>{text('back-to-sign-in')}</Link>
        </p>
      </Sheet>
    </SignInFrame>
  );
}
