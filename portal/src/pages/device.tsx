import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { useHere, usePageQuery } from '../session/page-query.ts';
import { signInTo } from '../session/paths.ts';
import { useMe } from '../session/queries.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { AppLogo } from '../ui/app-logo.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { Myself, NotYou, OrganizationField } from './app-request-parts.tsx';
import { useOrganization } from './authorize-organization.ts';
import { ScopeList } from './scope-list.tsx';

/**
 * Signs a person in on a device without a keyboard (RFC 8628). A link may hold the code; the person
 * still confirms that the device shows it, because an attacker could have sent the link.
 */
export function Device() {
  const { sessionId } = useSignIn();
  const here = useHere();
  if (sessionId === null) return <Redirect to={signInTo(here)} replace />;
  return (
    <SignInFrame>
      <DeviceSteps here={here} sessionId={sessionId} />
    </SignInFrame>
  );
}

interface StepsProps {
  /** Path of this page, for the return after a sign-in. */
  readonly here: string;
  readonly sessionId: string;
}

const findDevice = async (userCode: string) =>
  (await gatehouse.post('/api/v1/iam/auth/devices/find', { body: { userCode } })).data;

type Found = Awaited<ReturnType<typeof findDevice>>;

function DeviceSteps(props: StepsProps) {
  const [decided, setDecided] = useState<'approved' | 'denied' | null>(null);
  const find = useMutation({ mutationFn: findDevice });
  const linked = usePageQuery().get('user_code');
  const { mutate } = find;
  // The next page shows the code, to be compared: there is nothing to press on this one.
  useEffect(() => {
    if (linked !== null) mutate(linked);
  }, [linked, mutate]);
  if (decided !== null && find.data) return <Decided decision={decided} app={find.data.client.name} />;
  if (find.data) return <Check {...props} device={find.data} onDecided={setDecided} />;
  return <Enter error={find.error} isPending={find.isPending} onSubmit={find.mutate} />;
}

interface EnterProps {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSubmit: (userCode: string) => void;
}

function Enter({ error, isPending, onSubmit }: EnterProps) {
  const linked = usePageQuery().get('user_code');
  return (
    <Sheet title={text('device.title')} lead={text('device.lead')} focusTitle={false}>
      <Form error={error} onSubmit={(values) => onSubmit(String(values.get('userCode')).trim())}>
        <TextField
          label={text('device.code')}
          hint={text('device.code.hint')}
          name="userCode"
          autoComplete="off"
          maxLength={20}
          defaultValue={linked ?? ''}
          isRequired
          autoFocus
          verbatim
        />
        <Button type="submit" isPending={isPending}>
          {text('device.next')}
        </Button>
      </Form>
    </Sheet>
  );
}

interface CheckProps extends StepsProps {
  readonly device: Found;
  readonly onDecided: (decision: 'approved' | 'denied') => void;
}

function Check({ here, sessionId, device, onDecided }: CheckProps) {
  const { client, scopes, api, userCode } = device;
  const { data: me } = useMe();
  const organization = useOrganization();
  const ofTenant = api !== null || scopes.some((scope) => scope === 'tenant' || scope.includes(':'));
  const approve = useMutation({
    mutationFn: () => {
      const tenantId = ofTenant ? organization.value : '';
      const body = { userCode, ...(tenantId !== '' && { tenantId }) };
      return gatehouse.post('/api/v1/iam/auth/devices/approve', { body });
    },
    onSuccess: () => onDecided('approved'),
  });
  const deny = useMutation({
    mutationFn: () => gatehouse.post('/api/v1/iam/auth/devices/deny', { body: { userCode } }),
    onSuccess: () => onDecided('denied'),
  });
  const app = client.name;
  const error = approve.error ?? deny.error ?? organization.error;
  return (
    <Sheet title={text('authorize.title', { app })}>
      {error && <ErrorNotice error={error} />}
      <AppLogo url={client.logoUrl} />
      <p>{text('device.check')}</p>
      <p>
        <strong>{userCode}</strong>
      </p>
      <Notice kind="care">{text('device.check.warning')}</Notice>
      <ScopeList app={app} scopes={scopes} apis={api ? [api] : []} />
      {ofTenant && organization.options.length > 2 && (
        <OrganizationField app={app} organization={organization} />
      )}
      <div className="stack tight">
        <Button
          look="primary"
          wide
          isPending={approve.isPending}
          isDisabled={!me || !organization.isReady}
          onPress={() => approve.mutate()}
        >
          {rich('device.approve', { who: <Myself /> })}
        </Button>
        <Button wide isPending={deny.isPending} onPress={() => deny.mutate()}>
          {text('device.deny')}
        </Button>
      </div>
      <NotYou here={here} sessionId={sessionId} />
    </Sheet>
  );
}

interface DecidedProps {
  readonly decision: 'approved' | 'denied';
  readonly app: string;
}

const Decided = ({ decision, app }: DecidedProps) =>
  decision === 'approved' ? (
    <Sheet title={text('device.approved.title')} lead={text('device.approved.lead', { app })}>
      {null}
    </Sheet>
  ) : (
    <Sheet title={text('device.denied.title')} lead={text('device.denied.lead')}>
      {null}
    </Sheet>
  );
