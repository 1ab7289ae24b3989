import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ProblemError, type components } from '@gatehouse/client';
import { gatehouse } from '../session/gatehouse.ts';
import { mailedFingerprint, mailedToken } from '../session/mailed-token.ts';
import { ownRegistration } from '../session/own-registration.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { PasswordField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { SignInFrame } from '../ui/frames.tsx';
import { Sheet } from '../ui/page.tsx';
import { MailboxHint } from './resend.tsx';

type Verification = components['schemas']['VerifyEmailDto'];

/**
 * Requires a button press, because programs that scan mails open links. Asks for the password if
 * this browser has not registered the address: the link may belong to another person's
 * registration.
 */
export function VerifyEmail() {
  const [token] = useState(mailedToken);
  const [fingerprint] = useState(mailedFingerprint);
  const own = useQuery({
    queryKey: ['own-registration', token],
    queryFn: () => ownRegistration.isOf(token ?? '', fingerprint),
    staleTime: Infinity,
  });
  const verify = useMutation({
    mutationFn: async (body: Verification) => {
      await gatehouse.post('/api/v1/iam/auth/verify-email', { body });
      ownRegistration.drop();
    },
  });
  if (verify.isSuccess) return <Verified byPassword={verify.variables.password !== undefined} />;
  if (token === null || isSpent(verify.error)) return <AskAgain />;
  if (own.data === undefined) return <SignInFrame>{null}</SignInFrame>;
  return (
    <SignInFrame>
      <Sheet title="Verify your address" focusTitle={own.data}>
        <Form error={verify.error} onSubmit={(values) => verify.mutate({ token, ...passwordIn(values) })}>
          {!own.data && (
            <PasswordField
              label="Password"
              name="password"
              autoComplete="current-password"
              hint="The password that you chose when you registered. It shows that the registration is yours."
              autoFocus
            />
          )}
          <Button type="submit" look="primary" isPending={verify.isPending}>
            Verify my address
          </Button>
        </Form>
        <p className="soft">
          You forgot the password? <Link href={PAGE_PATHS.register}>Register again</Link>, and open the new
          mail.
        </p>
        <p className="soft">
          You did not register?{' '}
          <Link href={PAGE_PATHS.refuseRegistration} state={{ token }}>
            This was not me
          </Link>
        </p>
      </Sheet>
    </SignInFrame>
  );
}

function passwordIn(values: FormData): Pick<Verification, 'password'> {
  const password = values.get('password');
  return password === null ? {} : { password: String(password) };
}

function Verified({ byPassword }: { readonly byPassword: boolean }) {
  return (
    <SignInFrame>
      <Sheet
        title="Your address is verified"
        lead="Your account is ready. Sign in with the password that you chose."
      >
        <Link href={PAGE_PATHS.signIn} className="button primary">
          Sign in
        </Link>
        {!byPassword && (
          <p className="soft">
            If your password is refused, your address was also registered with another one. Then we have
            mailed you a link to choose your password.
          </p>
        )}
      </Sheet>
    </SignInFrame>
  );
}

/**
 * Returns whether the link has expired, is used or incomplete, so that another attempt cannot
 * succeed.
 */
export const isSpent = (error: unknown): boolean =>
  error instanceof ProblemError && error.violations.some(({ propertyPath }) => propertyPath === 'token');

function AskAgain() {
  const resend = useMutation({
    mutationFn: (email: string) =>
      gatehouse.post('/api/v1/iam/auth/resend-verification', { body: { email } }),
  });
  if (resend.isSuccess)
    return (
      <SignInFrame>
        <Sheet
          title="Check your mail"
          lead={<>If a registration waits for {resend.variables}, a new link was sent there.</>}
        >
          <MailboxHint />
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame>
      <Sheet
        title="This link is not valid any more"
        lead="It has been used, or is older than a day. If you have verified your address already, sign in."
        focusTitle={false}
      >
        <Form error={resend.error} onSubmit={(values) => resend.mutate(String(values.get('email')))}>
          <TextField label="E-mail address" name="email" type="email" autoComplete="username" isRequired />
          <Button type="submit" look="primary" isPending={resend.isPending}>
            Send a new link
          </Button>
        </Form>
        <p>
          <Link href={PAGE_PATHS.signIn}>Sign in</Link>
        </p>
      </Sheet>
    </SignInFrame>
  );
}
