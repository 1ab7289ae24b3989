import { useMutation } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { rich, text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { useHere, usePageQuery } from '../session/page-query.ts';
import { signInTo } from '../session/paths.ts';
import { useMe } from '../session/queries.ts';
import { useSignIn } from '../session/sign-in-state.ts';
import { AppLogo } from '../ui/app-logo.tsx';
import { Button } from '../ui/button.tsx';
import { SignInFrame } from '../ui/sign-in-frame.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Sheet } from '../ui/page.tsx';
import { OpenIdRequest } from './authorize-openid.tsx';
import { Myself, NotYou, OrganizationField } from './app-request-parts.tsx';
import { useOrganization } from './authorize-organization.ts';
import { useSatellite } from './authorize-request.ts';
import { leaving } from './external-kinds.tsx';
import { BadRequestOfApp, RequestRefused } from './request-refused.tsx';
import { inBackground } from '../session/in-background.ts';

/** PKCE code challenge (RFC 7636 section 4.2, S256). */
const CHALLENGE = /^[\w-]{43}$/;

interface Satellite {
  readonly name: string;
  readonly logoUrl: string | null;
  readonly redirectUri: string;
}

/** Authorization page: decides on the request of a client of OpenID Connect, or of a satellite. */
export function Authorize() {
  const query = usePageQuery();
  const here = useHere();
  const request = query.get('request');
  return request === null ? (
    <SatelliteRequest query={query} here={here} />
  ) : (
    <OpenIdRequest id={request} here={here} />
  );
}

interface RequestProps {
  readonly query: URLSearchParams;
  readonly here: string;
}

/** Hands a signed-in user over to a satellite that has asked for it. */
function SatelliteRequest({ query, here }: RequestProps) {
  const { sessionId } = useSignIn();
  const { data: satellite, error, refetch } = useSatellite(query);
  if (error) return <RequestRefused error={error} onRetry={() => inBackground(refetch())} />;
  if (!satellite) return <SignInFrame>{null}</SignInFrame>;
  if (!CHALLENGE.test(query.get('codeChallenge') ?? '')) return <BadRequestOfApp reason="damaged" />;
  if (sessionId === null) return <Redirect to={signInTo(here)} replace />;
  return <Consent query={query} satellite={satellite} here={here} sessionId={sessionId} />;
}

interface ConsentProps {
  readonly query: URLSearchParams;
  readonly satellite: Satellite;
  readonly here: string;
  readonly sessionId: string;
}

function Consent({ query, satellite, here, sessionId }: ConsentProps) {
  const { name, logoUrl, redirectUri } = satellite;
  const { data: me } = useMe();
  const organization = useOrganization();
  const authorize = useMutation({
    mutationFn: async () => {
      await gatehouse.selectTenant(organization.value || null);
      location.assign(await gatehouse.authorizeSatellite(query));
      await leaving();
    },
  });
  return (
    <SignInFrame look={organization.look}>
      <Sheet
        title={text('authorize.title', { app: name })}
        lead={text('authorize.lead', { app: name, host: new URL(redirectUri).host })}
      >
        {authorize.error && <ErrorNotice error={authorize.error} onRetry={() => authorize.mutate()} />}
        {organization.error && <ErrorNotice error={organization.error} />}
        <AppLogo url={logoUrl} />
        {organization.options.length > 1 && <OrganizationField app={name} organization={organization} />}
        <div className="stack tight">
          <Button
            look="primary"
            wide
            isPending={authorize.isPending}
            isDisabled={!me || !organization.isReady}
            onPress={() => authorize.mutate()}
          >
            {rich('hosted.continue', { who: <Myself /> })}
          </Button>
          <Button wide onPress={() => location.assign(declined(query, redirectUri))}>
            {text('cancel')}
          </Button>
        </div>
        <NotYou here={here} sessionId={sessionId} />
      </Sheet>
    </SignInFrame>
  );
}

/** @returns the address that tells the satellite that its visitor has declined */
function declined(query: URLSearchParams, redirectUri: string): string {
  const url = new URL(redirectUri);
  url.searchParams.set('error', 'access_denied');
  url.searchParams.set('state', query.get('state') ?? '');
  return url.href;
}
