import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { gatehouse } from '../session/gatehouse.ts';
import { ownRegistration } from '../session/own-registration.ts';
import { PAGE_PATHS } from '../session/paths.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, NewPasswordField, TextField } from '../ui/fields.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { SignInFrame } from '../ui/frames.tsx';
import { Sheet } from '../ui/page.tsx';
import { MailboxHint, Resend } from './resend.tsx';

type Registration = components['schemas']['RegisterDto'];

/** Registers an account, in two steps: this form, and the link in the mail. */
export function Register() {
  const register = useMutation({
    mutationFn: async (body: Registration) => {
      await gatehouse.post('/api/v1/iam/auth/register', { body });
      await ownRegistration.note(body.email);
    },
  });
  if (register.isSuccess)
    return <CheckYourMail email={register.variables.email} startAgain={() => register.reset()} />;
  return (
    <SignInFrame>
      <Sheet title="Create an account" focusTitle={false}>
        <Form error={register.error} onSubmit={(values) => register.mutate(registrationOf(values))}>
          <TextField
            label="First name"
            name="firstName"
            autoComplete="given-name"
            maxLength={100}
            isRequired
            autoFocus
          />
          <TextField label="E-mail address" name="email" type="email" autoComplete="username" isRequired />
          <NewPasswordField label="Password" name="password" />
          <TextField
            label="Organization"
            name="company"
            autoComplete="organization"
            maxLength={200}
            hint="We suggest it as the name of your first organization."
          />
          <Checkbox name="marketingOptIn" value="yes">
            Tell me about news and offers by e-mail
          </Checkbox>
          <Button type="submit" look="primary" isPending={register.isPending}>
            Create the account
          </Button>
        </Form>
        <p className="soft">
          You have one? <Link href={PAGE_PATHS.signIn}>Sign in</Link>
        </p>
      </Sheet>
    </SignInFrame>
  );
}

function registrationOf(values: FormData): Registration {
  const company = textOf(values, 'company');
  return {
    firstName: String(values.get('firstName')),
    email: String(values.get('email')),
    password: String(values.get('password')),
    marketingOptIn: values.get('marketingOptIn') !== null,
    ...(company !== undefined && { company }),
  };
}

function CheckYourMail({ email, startAgain }: { readonly email: string; readonly startAgain: () => void }) {
  return (
    <SignInFrame>
      <Sheet title="Check your mail" lead={<>We have sent a mail to {email}.</>}>
        <p>
          Open the link in it within a day. In another browser you are asked for the password that you chose.
          Then you can sign in.
        </p>
        <div className="stack tight">
          <Resend email={email} />
          <MailboxHint />
        </div>
        <p className="soft">
          Nothing in sight? Look among the unwanted mails, or{' '}
          <Button look="link" onPress={startAgain}>
            correct the address
          </Button>
          .
        </p>
      </Sheet>
    </SignInFrame>
  );
}
