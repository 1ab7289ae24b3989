import { useMutation } from '@tanstack/react-query';
import type { LogoutKind } from '@gatehouse/client';
import { explain } from '../ui/explain.ts';
import { useToast } from '../ui/toast.tsx';
import { gatehouse } from './gatehouse.ts';

/** Ends sessions. The page changes by itself if its own session has ended. */
export const useSignOut = () => useLogout((which: LogoutKind) => gatehouse.logout(which));

/**
 * Ends this session, and leads to the provider of a connection by which it began, so that its
 * session ends as well: else the next sign-in would ask for nothing.
 */
export const useSignOutUpstream = () =>
  useLogout<void>(async () => {
    const logoutUrl = await gatehouse.logout('session', { upstream: true });
    if (logoutUrl !== null) location.assign(logoutUrl);
  });

function useLogout<T>(mutationFn: (which: T) => Promise<unknown>) {
  const say = useToast();
  return useMutation({
    mutationFn,
    onError: (error) => {
      const { title, text } = explain(error);
      say(`${title}. ${text}`);
    },
  });
}
