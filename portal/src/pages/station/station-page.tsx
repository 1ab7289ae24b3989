import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { takeFragment } from '@gatehouse/client';
import { Station, type StationSession } from '@gatehouse/client/station';
import { text, useLocale } from '../../messages/index.ts';
import { fetchInLocale } from '../../session/gatehouse.ts';
import { inBackground } from '../../session/in-background.ts';
import { queryClient } from '../../session/queries.ts';
import { whenIdle } from '../../session/when-idle.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/page.tsx';
import { SignInFrame } from '../../ui/sign-in-frame.tsx';
import { useBadgeKeys } from './badge-keys.ts';
import { keepPage, registerWorker } from './offline-page.ts';
import { EnterPin, WhoAreYou, type Who } from './sign-in-at-station.tsx';
import { SignedInAtStation } from './signed-in-at-station.tsx';

const OPTIONS = { url: location.origin, fetch: fetchInLocale };
const STATION = ['station', 'this'];

/** The page of a shared device, at which people sign in one after the other. */
export function StationPage() {
  const station = useQuery({
    queryKey: STATION,
    queryFn: () => Station.find(OPTIONS),
    staleTime: Infinity,
    networkMode: 'always', // it is in the browser
  });
  useManifest();
  const look = station.data?.branding ?? undefined;
  return (
    <SignInFrame look={look}>
      <div className="at-station">
        <Offline />
        {station.isPending && <Skeleton label={text('nav.stations')} rows={1} />}
        {station.error && <ErrorNotice error={station.error} />}
        {station.data === null && <Register />}
        {station.data && <AtStation station={station.data} />}
      </div>
    </SignInFrame>
  );
}

/** Lets the browser install this page as an app. */
function useManifest(): void {
  useEffect(() => {
    const link = Object.assign(document.createElement('link'), {
      rel: 'manifest',
      href: '/station.webmanifest',
    });
    document.head.append(link);
    return () => link.remove();
  }, []);
}

/** Shows this page without a network too, in the language that it was last read in. */
function useOfflinePage(): void {
  const locale = useLocale();
  useEffect(() => whenIdle(() => inBackground(keepPage())), [locale]);
  useEffect(() => inBackground(registerWorker()), []);
}

const onNetworkChange = (listener: () => void) => {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
};

/** Says that the device has no network, and what to do. */
function Offline() {
  const isOnline = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <Notice kind="bad" title={text('station.offline')}>
      <p>{text('station.offline.text')}</p>
    </Notice>
  );
}

/** Registers the device by the code that an administrator has got. */
function Register() {
  const [code] = useState(takeFragment);
  const register = useMutation({
    mutationFn: (registrationCode: string) => Station.register(OPTIONS, registrationCode),
    onSuccess: (station) => queryClient.setQueryData(STATION, station),
  });
  return (
    <Sheet title={text('station.register')} lead={text('station.register.text')} focusTitle={false}>
      <Form
        error={register.error}
        onSubmit={(values) => register.mutate(String(values.get('registrationCode')))}
      >
        <TextField
          label={text('stations.code')}
          name="registrationCode"
          defaultValue={code}
          autoComplete="off"
          maxLength={20}
          isRequired
          autoFocus
          verbatim
        />
        <Button type="submit" wide isPending={register.isPending}>
          {text('station.register.submit')}
        </Button>
      </Form>
    </Sheet>
  );
}

function AtStation({ station }: { readonly station: Station }) {
  const [who, setWho] = useState<Who | null>(null);
  const [session, setSession] = useState<StationSession | null>(null);
  /** Begins with the next person, who has scanned their badge. */
  const begin = useCallback(
    (badge: string) => {
      session?.end().catch(() => undefined); // its tokens are gone; the service ends it when idle
      setSession(null);
      setWho({ badge });
    },
    [session],
  );
  useBadgeKeys(begin);
  useOfflinePage();
  const restart = useCallback(() => {
    setSession(null);
    setWho(null);
  }, []);
  if (session) return <SignedInAtStation station={station} session={session} onEnd={restart} />;
  if (who)
    return (
      <EnterPin
        key={JSON.stringify(who)}
        station={station}
        who={who}
        onSignedIn={setSession}
        onCancel={restart}
      />
    );
  return <WhoAreYou station={station} onWho={setWho} />;
}
