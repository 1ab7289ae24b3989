import { useMutation } from '@tanstack/react-query';
import { ProblemError } from '@gatehouse/client';
import { useEffect } from 'react';
import { Redirect } from 'wouter';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { signInTo } from '../session/paths.ts';
import { useMe } from '../session/queries.ts';
import { expecting, useSignIn } from '../session/sign-in-state.ts';
import { AppLogo } from '../ui/app-logo.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { Myself, NotYou, OrganizationField } from './app-request-parts.tsx';
import { useOrganization } from './authorize-organization.ts';
import { useOpenIdRequest } from './authorize-request.ts';
import { leaving } from './external-kinds.tsx';
import { BadRequestOfApp, RequestRefused } from './request-refused.tsx';
import { ScopeList } from './scope-list.tsx';
import { inBackground } from '../session/in-background.ts';

/** Address of a program on the computer of the person, which any program there can take. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)[:/]/;

interface Props {
  readonly id: string;
  /** Path of this page, for the return after a sign-in. */
  readonly here: string;
}

/** Decides on a request of a client of OpenID Connect: by itself, or by asking the person. */
export function OpenIdRequest({ id, here }: Props) {
  const { sessionId } = useSignIn();
  const { data: request, error, refetch } = useOpenIdRequest(id, sessionId);
  if (error instanceof ProblemError && error.status === 404) return <BadRequestOfApp reason="expired" />;
  if (error) return <RequestRefused error={error} onRetry={() => inBackground(refetch())} />;
  if (!request) return <SignInFrame>{null}</SignInFrame>;
  const isSilent = request.prompt.includes('none');
  if (sessionId === null && isSilent) return <Decide request={request} answer={() => denyRequest(id)} />;
  if (sessionId === null)
    return <Redirect to={signInTo(here)} state={expecting(request.loginHint)} replace />;
  const asks = request.needsConsent || request.prompt.includes('select_account');
  return <Ask id={id} here={here} sessionId={sessionId} request={request} asks={asks && !isSilent} />;
}

type Request = NonNullable<ReturnType<typeof useOpenIdRequest>['data']>;

const denyRequest = async (id: string): Promise<string> => {
  const params = { path: { id } };
  return (await gatehouse.post('/api/v1/iam/auth/authorizations/{id}/deny', { params })).data.redirectTo;
};

const approveRequest = async (id: string, tenantId: string): Promise<string> => {
  const params = { path: { id } };
  const body = tenantId === '' ? {} : { tenantId };
  return (await gatehouse.post('/api/v1/iam/auth/authorizations/{id}/approve', { params, body })).data
    .redirectTo;
};

/** Leaves the page with an answer to the request. */
const useDecision = (answer: () => Promise<string>) =>
  useMutation({
    mutationFn: async () => {
      location.assign(await answer());
      await leaving();
    },
  });

interface DecideProps {
  readonly request: Request;
  readonly answer: () => Promise<string>;
}

/** Answers without a question. */
function Decide({ request, answer }: DecideProps) {
  const { mutate, error } = useDecision(answer);
  useEffect(() => mutate(), [mutate]);
  return (
    <SignInFrame>
      {error && (
        <Sheet title={text('authorize.title', { app: request.client.name })}>
          <ErrorNotice error={error} onRetry={() => mutate()} />
        </Sheet>
      )}
    </SignInFrame>
  );
}

interface AskProps extends Props {
  readonly sessionId: string;
  readonly request: Request;
  readonly asks: boolean;
}

function Ask({ id, here, sessionId, request, asks }: AskProps) {
  const { client, scopes, api } = request;
  const { data: me } = useMe();
  const organization = useOrganization();
  // A client of an organization works in that one.
  const ofTenant =
    !client.ofOrganization &&
    (api !== null || scopes.some((scope) => scope === 'tenant' || scope.includes(':')));
  const chooses = ofTenant && organization.options.length > 2 && !request.prompt.includes('none');
  const approve = useDecision(() => approveRequest(id, ofTenant ? organization.value : ''));
  const deny = useDecision(() => denyRequest(id));
  if (!organization.isReady) return <SignInFrame>{null}</SignInFrame>;
  if (!asks && !chooses)
    return <Decide request={request} answer={() => approveRequest(id, ofTenant ? organization.value : '')} />;
  const app = client.name;
  const error = approve.error ?? deny.error ?? organization.error;
  return (
    <SignInFrame look={ofTenant ? organization.look : undefined}>
      <Sheet
        title={text('authorize.title', { app })}
        lead={text('authorize.lead', { app, host: new URL(client.redirectUri).host })}
      >
        {error && <ErrorNotice error={error} onRetry={() => approve.mutate()} />}
        <AppLogo url={client.logoUrl} />
        {client.idHost !== null && (
          <Notice kind="care" title={text('authorize.unchecked.title', { host: client.idHost })}>
            <p>{text('authorize.unchecked', { app, host: client.idHost })}</p>
            {LOOPBACK.test(client.redirectUri) && <p>{text('authorize.loopback', { app })}</p>}
          </Notice>
        )}
        <ScopeList app={app} scopes={scopes} apis={api ? [api] : []} />
        {ofTenant && !chooses && organization.name !== undefined && (
          <p>{text('authorize.in-organization', { app, organization: organization.name })}</p>
        )}
        {chooses && <OrganizationField app={app} organization={organization} />}
        <div className="stack tight">
          <Button
            look="primary"
            wide
            isPending={approve.isPending}
            isDisabled={!me}
            onPress={() => approve.mutate()}
          >
            {rich('hosted.continue', { who: <Myself /> })}
          </Button>
          <Button wide isPending={deny.isPending} onPress={() => deny.mutate()}>
            {text('cancel')}
          </Button>
        </div>
        <NotYou here={here} sessionId={sessionId} />
      </Sheet>
    </SignInFrame>
  );
}
