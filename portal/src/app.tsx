import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { chooseLocale, supported, useLocale, type Locale } from './messages/index.ts';
import { AccountPages } from './pages/account/account-pages.tsx';
import { AcceptInvitation } from './pages/accept-invitation.tsx';
import { ConfirmItIsYou } from './pages/confirm-dialog.tsx';
import { Authorize } from './pages/authorize.tsx';
import { ForgottenPassword } from './pages/forgotten-password.tsx';
import { HostedSignIn } from './pages/hosted-sign-in.tsx';
import { NotHere } from './pages/not-here.tsx';
import { OrganizationPages } from './pages/organization/organization-pages.tsx';
import { NewOrganization, Organizations } from './pages/organizations.tsx';
import { RefuseRegistration } from './pages/refuse-registration.tsx';
import { Register } from './pages/register.tsx';
import { ResetPassword } from './pages/reset-password.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { SignedIn } from './pages/signed-in.tsx';
import { VerifyEmail } from './pages/verify-email.tsx';
import { hostedRequestIn } from './session/hosted-request.ts';
import { useHere, usePageQuery } from './session/page-query.ts';
import { PAGE_PATHS, signInTo } from './session/paths.ts';
import { queryClient, useMe } from './session/queries.ts';
import { useSignIn } from './session/sign-in-state.ts';
import { Toasts } from './ui/toast.tsx';

/** Loaded on demand, because it contains a parser of mails that only local development uses. */
const Mailbox = lazy(() => import('./pages/mailbox.tsx'));

const P = PAGE_PATHS;

/** The portal. */
export function App() {
  const [, navigate] = useLocation();
  const locale = useLocale();
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale={locale}>
        <RouterProvider navigate={navigate}>
          <Toasts>
            <PersonalLocale />
            <Pages />
            <ConfirmItIsYou />
          </Toasts>
        </RouterProvider>
      </I18nProvider>
    </QueryClientProvider>
  );
}

/** Shows the pages in the language of the person's profile, if one is set. */
function PersonalLocale() {
  const { sessionId } = useSignIn();
  return sessionId !== null && <LocaleOfProfile />;
}

function LocaleOfProfile() {
  const { data: me } = useMe();
  const locale = supported(me?.locale ?? '');
  useEffect(() => {
    if (locale !== null) void chooseLocale(locale as Locale);
  }, [locale]);
  return null;
}

function Pages() {
  const { sessionId } = useSignIn();
  return (
    <Switch key={sessionId}>
      <Route path={P.home}>
        {sessionId === null ? <SignIn /> : <Redirect to={P.organizations} replace />}
      </Route>
      <Route path={P.signIn} component={SignInOrHosted} />
      <Route path={P.authorize} component={Authorize} />
      <Route path={P.signedIn} component={SignedIn} />
      <Route path={P.register} component={Register} />
      <Route path={P.verifyEmail} component={VerifyEmail} />
      <Route path={P.refuseRegistration} component={RefuseRegistration} />
      <Route path={P.forgottenPassword} component={ForgottenPassword} />
      <Route path={P.resetPassword} component={ResetPassword} />
      <Route path={P.acceptInvitation} component={AcceptInvitation} />
      <Route path={P.organizations}>
        <ForSignedIn>
          <Organizations />
        </ForSignedIn>
      </Route>
      <Route path={P.newOrganization}>
        <ForSignedIn>
          <NewOrganization />
        </ForSignedIn>
      </Route>
      <Route path="/organizations/:tenantId/*?">
        {({ tenantId }) => (
          <ForSignedIn>
            <OrganizationPages key={tenantId} tenantId={tenantId} />
          </ForSignedIn>
        )}
      </Route>
      <Route path="/account/*?">
        <ForSignedIn>
          <AccountPages />
        </ForSignedIn>
      </Route>
      <Route path={P.mailbox}>
        <Suspense>
          <Mailbox />
        </Suspense>
      </Route>
      <Route component={NotHere} />
    </Switch>
  );
}

function SignInOrHosted() {
  const request = hostedRequestIn(usePageQuery());
  return request ? <HostedSignIn request={request} /> : <SignIn />;
}

/**
 * Sends users who are not signed in to the sign-in page, with the way back; not those who have just
 * signed out.
 */
function ForSignedIn({ children }: { readonly children: ReactNode }) {
  const { sessionId, left } = useSignIn();
  const here = useHere();
  if (sessionId !== null) return children;
  return <Redirect to={left === 'logout' ? P.signIn : signInTo(here)} replace />;
}
