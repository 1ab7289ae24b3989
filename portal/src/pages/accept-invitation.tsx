import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ProblemError, type components } from '@gatehouse/client';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { invitation } from '../session/mailed-token.ts';
import { canonical } from '../session/own-registration.ts';
import { PAGE_PATHS, pathIn } from '../session/paths.ts';
import { queryClient, useInvitation, useMe } from '../session/queries.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { useSignOut } from '../session/sign-out.ts';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { Skeleton } from '../ui/list.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { nameOfRole } from '../ui/role-name.ts';
import { Time } from '../ui/time.tsx';
import { useToast } from '../ui/toast.tsx';
import { Join, joining } from './join.tsx';
import { isSpent } from './verify-email.tsx';
import { inBackground } from '../session/in-background.ts';

type Preview = components['schemas']['InvitationPreviewResponse'];

interface Props {
  readonly token: string;
  readonly preview: Preview;
}

/**
 * Shows a mailed invitation and accepts it. A user who is not signed in registers here, or signs in
 * and comes back.
 */
export function AcceptInvitation() {
  const { sessionId } = useSignIn();
  const [token] = useState(invitation.token);
  const shown = useInvitation(token);
  const retry = () => inBackground(shown.refetch());
  if (token !== null && token === joining.token && sessionId !== null)
    return <Waiting error={null} retry={retry} />;
  if (token === null || isSpent(shown.error)) return <Spent />;
  if (!shown.data) return <Waiting error={shown.error} retry={retry} />;
  const props = { token, preview: shown.data };
  return sessionId === null ? <Join {...props} lead={invitedBy(shown.data)} /> : <Decision {...props} />;
}

interface WaitingProps {
  readonly error: unknown;
  readonly retry: () => void;
}

/** The page of an invitation that is not there yet. */
function Waiting({ error, retry }: WaitingProps) {
  return (
    <SignInFrame>
      <Sheet title={text('accept.title')}>
        {error ? (
          <ErrorNotice error={error} onRetry={retry} />
        ) : (
          <Skeleton label={text('accept.loading')} rows={1} />
        )}
      </Sheet>
    </SignInFrame>
  );
}

/** Who invites, as what, and for how long. */
const invitedBy = ({ inviter, roles }: Preview): string =>
  text(inviter.name === null ? 'accept.invited' : 'accept.invited-by', {
    name: inviter.name ?? '',
    roles: roles.map(nameOfRole).join(', '),
  });

const Expiry = ({ email, expiresAt }: Preview) => (
  <p className="soft small">{rich('accept.sent-to', { email, time: () => <Time value={expiresAt} /> })}</p>
);

function Decision({ token, preview }: Props) {
  const [, navigate] = useLocation();
  const say = useToast();
  const me = useMe();
  const signOut = useSignOut();
  const accept = useMutation({
    mutationFn: async () =>
      (await gatehouse.post('/api/v1/iam/auth/accept-invitation', { body: { token } })).data,
    onSuccess: async ({ tenantId }) => {
      invitation.drop();
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
      say(text('accept.welcome'));
      navigate(pathIn(PAGE_PATHS.organization, tenantId), { replace: true });
    },
  });
  const switchAccount = () => {
    invitation.keep(token);
    signOut.mutate('session');
  };
  if (isSpent(accept.error)) return <Spent />;
  if (!me.data) return <Waiting error={me.error} retry={() => inBackground(me.refetch())} />;
  const { email, name } = me.data;
  const who = email ?? name ?? text('accept.this-account');
  const isForbidden = accept.error instanceof ProblemError && accept.error.code === 'forbidden';
  if (isForbidden || email === null || canonical(email) !== canonical(preview.email))
    return (
      <SignInFrame look={preview.branding}>
        <Sheet
          title={text('error.wrong-account.title')}
          lead={text('accept.wrong-account', {
            who,
            email: preview.email,
            organization: preview.organization.name,
          })}
        >
          <Button look="primary" isPending={signOut.isPending} onPress={switchAccount}>
            {text('accept.switch')}
          </Button>
          <Link href={PAGE_PATHS.home}>{text('accept.keep-account')}</Link>
        </Sheet>
      </SignInFrame>
    );
  return (
    <SignInFrame look={preview.branding}>
      <Sheet
        title={text('accept.join', { organization: preview.organization.name })}
        lead={invitedBy(preview)}
      >
        {accept.error && <ErrorNotice error={accept.error} onRetry={() => accept.mutate()} />}
        <Button look="primary" isPending={accept.isPending} onPress={() => accept.mutate()}>
          {text('accept')}
        </Button>
        <p className="soft">
          {text('accept.as', { who })}{' '}
          {rich('accept.not-you', {
            other: (inside) => (
              <Button look="link" onPress={switchAccount}>
                {inside}
              </Button>
            ),
          })}
        </p>
        <Expiry {...preview} />
      </Sheet>
    </SignInFrame>
  );
}

/** The page of an invitation that can no longer be accepted. */
const Spent = () => (
  <SignInFrame>
    <Sheet title={text('accept.expired.title')} lead={text('accept.expired.lead')}>
      <Link href={PAGE_PATHS.home} className="button primary">
        {text('go-home')}
      </Link>
    </Sheet>
  </SignInFrame>
);
