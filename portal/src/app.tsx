import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { chooseLocale, loadAllTexts, supported, text, useLocale, type Locale } from './messages/index.ts';
import { HostedSignIn } from './pages/hosted-sign-in.tsx';
import { NotHere } from './pages/not-here.tsx';
import { NotLoaded } from './pages/not-loaded.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { acting, stopActing } from './session/acting.ts';
import { usePendingConfirmation } from './session/confirmation.ts';
import { hostedRequestIn } from './session/hosted-request.ts';
import { isMissing, loaded, loadPagesOf } from './session/loaded-pages.ts';
import { useHere, usePageQuery } from './session/page-query.ts';
import { PAGE_PATHS, pathIn, signInTo } from './session/paths.ts';
import { queryClient, useMe } from './session/queries.ts';
import { useIsLoading, useShownPath, useShownSearch } from './session/shown-address.ts';
import { useSignIn } from './session/sign-in-state.ts';
import { whenIdle } from './session/when-idle.ts';
import { Toasts } from './ui/toast.tsx';
import { inBackground } from './session/in-background.ts';

const P = PAGE_PATHS;

/** The portal. */
export function App() {
  return (
    <Router hook={useShownPath} searchHook={useShownSearch}>
      <Portal />
    </Router>
  );
}

function Portal() {
  const [, navigate] = useLocation();
  const locale = useLocale();
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider locale={locale}>
        <RouterProvider navigate={navigate}>
          <Toasts>
            <PersonalLocale />
            {acting && <Acting />}
            <LoadingBar />
            <Pages />
            <Confirmations />
          </Toasts>
        </RouterProvider>
      </I18nProvider>
    </QueryClientProvider>
  );
}

/** Shows that the page of a pressed link is being loaded: the page before stays until then. */
function LoadingBar() {
  const isLoading = useIsLoading();
  return isLoading && <div className="loading-bar" role="progressbar" aria-label={text('working')} />;
}

/** Says that an operator acts as a person. Loaded then alone. */
function Acting() {
  const [banner, setBanner] = useState<ReactNode>(null);
  useEffect(() => {
    const load = Promise.all([import('./pages/acting-banner.tsx'), loadAllTexts()]);
    load.then(
      ([{ ActingBanner }]) => setBanner(acting && <ActingBanner acting={acting} />),
      stopActing, // no page without the banner
    );
  }, []);
  return banner;
}

/** Shows the pages in the language of the person's profile, if one is set. */
function PersonalLocale() {
  const { sessionId } = useSignIn();
  return sessionId !== null && acting === null && <LocaleOfProfile />;
}

function LocaleOfProfile() {
  const { data: me } = useMe();
  const locale = supported(me?.locale ?? '');
  useEffect(() => {
    if (locale !== null) inBackground(chooseLocale(locale as Locale));
  }, [locale]);
  return null;
}

/** Loads the dialog when a command first asks for it. */
function Confirmations() {
  const waiting = usePendingConfirmation();
  const [Dialog, setDialog] = useState<(() => ReactNode) | null>(null);
  useEffect(() => {
    if (!waiting || Dialog) return;
    Promise.all([import('./pages/confirm-dialog.tsx'), loadAllTexts()]).then(
      ([{ ConfirmItIsYou }]) => setDialog(() => ConfirmItIsYou),
      () => waiting.end(null),
    );
  }, [waiting, Dialog]);
  return Dialog && <Dialog />;
}

function Pages() {
  const { sessionId } = useSignIn();
  const [path] = useLocation();
  const { entrance, organizations, organization, account, operator, setUp, station, mailbox } = loaded;
  if (isMissing(path)) return <NotLoaded />;
  return (
    <Switch key={sessionId}>
      <Route path={P.home}>
        {sessionId === null ? <SignIn /> : <Redirect to={P.organizations} replace />}
      </Route>
      <Route path={P.testFinished}>{entrance && <entrance.TestFinished />}</Route>
      <Route path={P.signIn} component={SignInOrHosted} />
      <Route path={P.organizationSignIn}>
        {({ organization }) =>
          entrance && <entrance.OrganizationSignIn key={organization} organization={organization} />
        }
      </Route>
      <Route path={P.authorize}>{entrance && <entrance.Authorize />}</Route>
      <Route path={P.device}>{entrance && <entrance.Device />}</Route>
      <Route path={P.station}>{station && <station.StationPage />}</Route>
      <Route path={P.signOut}>{entrance && <entrance.SignOut />}</Route>
      <Route path={P.signedIn}>{entrance && <entrance.SignedIn />}</Route>
      <Route path={P.register}>{entrance && <entrance.Register />}</Route>
      <Route path={P.verifyEmail}>{entrance && <entrance.VerifyEmail />}</Route>
      <Route path={P.refuseRegistration}>{entrance && <entrance.RefuseRegistration />}</Route>
      <Route path={P.cancelAuthenticatorReset}>{entrance && <entrance.CancelAuthenticatorReset />}</Route>
      <Route path={P.forgottenPassword}>{entrance && <entrance.ForgottenPassword />}</Route>
      <Route path={P.resetPassword}>{entrance && <entrance.ResetPassword />}</Route>
      <Route path={P.emailCode}>{entrance && <entrance.EmailCode />}</Route>
      <Route path={P.confirmEmail}>{entrance && <entrance.ConfirmEmail />}</Route>
      <Route path={P.undoEmail}>{entrance && <entrance.UndoEmail />}</Route>
      <Route path={P.acceptInvitation}>{entrance && <entrance.AcceptInvitation />}</Route>
      <Route path={P.organizations}>
        <ForSignedIn>
          <PagesOfOneAhead />
          {organizations && <organizations.Organizations />}
        </ForSignedIn>
      </Route>
      <Route path={P.newOrganization}>
        <ForSignedIn>{organizations && <organizations.NewOrganization />}</ForSignedIn>
      </Route>
      <Route path="/organizations/:tenantId/*?">
        {({ tenantId }) => (
          <ForSignedIn>
            {organization && <organization.OrganizationPages key={tenantId} tenantId={tenantId} />}
          </ForSignedIn>
        )}
      </Route>
      <Route path="/account/*?">
        <ForSignedIn>{account && <account.AccountPages />}</ForSignedIn>
      </Route>
      <Route path={P.setUp}>{setUp && <setUp.SetUpByLink />}</Route>
      <Route path="/operator/*?">
        <ForSignedIn>{operator && <operator.OperatorPages />}</ForSignedIn>
      </Route>
      <Route path={P.mailbox}>{mailbox && <mailbox.Mailbox />}</Route>
      <Route component={NotHere} />
    </Switch>
  );
}

/** Loads the pages of one organization while the user reads the list. */
function PagesOfOneAhead() {
  useEffect(() => whenIdle(() => inBackground(loadPagesOf(pathIn(P.organization, 'next')))), []);
  return null;
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
