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
import { Threshold } from '../ui/frames.tsx';
import { Sheet } from '../ui/page.tsx';
import { MailboxHint } from './resend.tsx';

type Verification = components['schemas']['VerifyEmailDto'];

/**
 * A press of a button, as programs that look through mails open links, too. Asks for the password where this browser has not
 * registered the address: the link may belong to a registration by somebody else.
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
  if (own.data === undefined) return <Threshold>{null}</Threshold>;
  return (
    <Threshold>
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
    </Threshold>
  );
}

function passwordIn(values: FormData): Pick<Verification, 'password'> {
  const password = values.get('password');
  return password === null ? {} : { password: String(password) };
}

function Verified({ byPassword }: { readonly byPassword: boolean }) {
  return (
    <Threshold>
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
    </Threshold>
  );
}

/** Whether the link is too old, used or cut short: then another attempt will not help. */
export const isSpent = (error: unknown): boolean =>
  error instanceof ProblemError && error.violations.some(({ propertyPath }) => propertyPath === 'token');

function AskAgain() {
  const resend = useMutation({
    mutationFn: (email: string) =>
      gatehouse.post('/api/v1/iam/auth/resend-verification', { body: { email } }),
  });
  if (resend.isSuccess)
    return (
      <Threshold>
        <Sheet
          title="Check your mail"
          lead={<>If a registration waits for {resend.variables}, a new link was sent there.</>}
        >
          <MailboxHint />
        </Sheet>
      </Threshold>
    );
  return (
    <Threshold>
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
    </Threshold>
  );
}
