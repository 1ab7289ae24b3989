import { useMutation } from '@tanstack/react-query';
import type { LogoutKind } from '@gatehouse/client';
import { explain } from '../ui/explain.ts';
import { useToast } from '../ui/toast.tsx';
import { gatehouse } from './gatehouse.ts';

/** Ends sessions. The page changes by itself if its own session has ended. */
export function useSignOut() {
  const say = useToast();
  return useMutation({
    mutationFn: (which: LogoutKind) => gatehouse.logout(which),
    onError: (error) => {
      const { title, text } = explain(error);
      say(`${title}. ${text}`);
    },
  });
}
