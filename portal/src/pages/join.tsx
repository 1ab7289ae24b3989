import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { canUsePasskeys, ProblemError, type components, type InvitedRegistration } from '@gatehouse/client';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { invitation } from '../session/mailed-token.ts';
import { PAGE_PATHS, pathIn, signInTo } from '../session/paths.ts';
import { queryClient } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkboxes.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { NewPasswordField, useWeakPasswordQuestion } from '../ui/new-password-field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { useToast } from '../ui/toast.tsx';
import { ConnectionSignIn, useSignInOptions } from './connection-sign-in.tsx';
import { ExternalKinds } from './external-kinds.tsx';

type Preview = components['schemas']['InvitationPreviewResponse'];

/**
 * Token of the invitation by which this tab joins. With the new session, the pages are mounted
 * again, and the invitation is accepted by then.
 */
export const joining: { token: string | null } = { token: null };

interface Props {
  readonly token: string;
  readonly preview: Preview;
  /** Who invites, as what. */
  readonly lead: string;
}

/**
 * Registers an invited person, who is then signed in and a member: the mailed link has proven the
 * address. A person who has an account signs in and comes back.
 */
export function Join({ token, preview, lead }: Props) {
  const { email, organization, branding } = preview;
  const [byPasskey, setByPasskey] = useState(false);
  const [, navigate] = useLocation();
  const say = useToast();
  const question = useWeakPasswordQuestion();
  const options = useSignInOptions({ email });
  // For the ways through other pages, and through a provider.
  useEffect(() => invitation.keep(token), [token]);
  const join = useMutation({
    mutationFn: (body: InvitedRegistration) => {
      joining.token = token;
      return gatehouse.registerInvited(body);
    },
    onSuccess: async ({ joinedTenantId }, { password }) => {
      invitation.drop();
      const page = password === undefined ? PAGE_PATHS.security : PAGE_PATHS.organization;
      navigate(pathIn(page, joinedTenantId), { replace: true });
      say(text(password === undefined ? 'join.add-passkey' : 'accept.welcome'));
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
    },
    onError: () => {
      joining.token = null;
    },
  });
  const signIn = signInTo(PAGE_PATHS.acceptInvitation);
  const hasAccount = join.error instanceof ProblemError && join.error.code === 'conflict';
  if (options.isLoading) return <SignInFrame look={branding}>{null}</SignInFrame>;
  const connection = options.data?.connection;
  return (
    <SignInFrame look={branding}>
      <Sheet title={text('accept.join', { organization: organization.name })} lead={lead}>
        {connection && (
          <>
            <ConnectionSignIn next={PAGE_PATHS.acceptInvitation} connection={connection} email={email} />
            <div className="or">{text('sign-in.or')}</div>
          </>
        )}
        <Form
          error={join.error}
          onSubmit={(values, form) =>
            byPasskey
              ? join.mutate(registrationOf(values, token))
              : question.submit(form, 'password', () => join.mutate(registrationOf(values, token)))
          }
          {...(hasAccount && { trouble: <HasAccount signIn={signIn} /> })}
        >
          <TextField
            label={text('email')}
            name="email"
            type="email"
            autoComplete="username"
            defaultValue={email}
            isReadOnly
            isRequired
            hint={text('register.invited-address')}
          />
          <TextField
            label={text('first-name')}
            name="firstName"
            autoComplete="given-name"
            maxLength={100}
            isRequired
          />
          <TextField label={text('last-name')} name="lastName" autoComplete="family-name" maxLength={100} />
          {!byPasskey && <NewPasswordField label={text('password')} name="password" question={question} />}
          <Checkbox name="marketingOptIn" value="yes">
            {text('marketing')}
          </Checkbox>
          <Button type="submit" isPending={join.isPending}>
            {text(byPasskey ? 'join.submit-without' : 'join.submit')}
          </Button>
        </Form>
        {canUsePasskeys() && (
          <p>
            <Button look="link" onPress={() => setByPasskey(!byPasskey)}>
              {text(byPasskey ? 'join.by-password' : 'join.by-passkey')}
            </Button>
          </p>
        )}
        <ExternalKinds next={PAGE_PATHS.acceptInvitation} />
        {!hasAccount && (
          <p className="soft">
            {rich('register.have-one', { link: (inside) => <Link href={signIn}>{inside}</Link> })}
          </p>
        )}
      </Sheet>
    </SignInFrame>
  );
}

/** The refusal that the user can resolve. */
const HasAccount = ({ signIn }: { readonly signIn: string }) => (
  <Notice kind="care" title={text('join.has-account')}>
    <Link href={signIn}>{text('sign-in')}</Link>
  </Notice>
);

function registrationOf(values: FormData, token: string): InvitedRegistration {
  const lastName = textOf(values, 'lastName');
  const password = values.get('password');
  return {
    token,
    firstName: String(values.get('firstName')),
    marketingOptIn: values.get('marketingOptIn') !== null,
    ...(lastName !== undefined && { lastName }),
    ...(password !== null && { password: String(password) }),
  };
}
