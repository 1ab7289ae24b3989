import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { queryClient } from '../../session/queries.ts';
import { DeniableButton } from '../../ui/deniable-button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

interface Props {
  readonly tenantId: string;
  /** Why the user cannot leave; null if they can. */
  readonly denial: string | null;
}

/** Lets a member leave the organization. */
export function Leave({ tenantId, denial }: Props) {
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const say = useToast();
  const leave = useMutation({
    mutationFn: () => gatehouse.delete('/api/v1/iam/me/tenants/{id}', { params: { path: { id: tenantId } } }),
    onSuccess: async () => {
      setAsking(false);
      say(text('leave.left'));
      navigate(PAGE_PATHS.organizations);
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
    },
  });
  return (
    <section className="sheet section danger" aria-labelledby="leave">
      <h2 id="leave">{text('leave.title')}</h2>
      <p>{text('leave.text')}</p>
      <DeniableButton denial={denial} look="danger" onPress={() => setAsking(true)}>
        {text('leave.submit')}
      </DeniableButton>
      <ConfirmDialog
        title={text('leave.confirm.title')}
        confirm={text('leave.title')}
        action={leave}
        isOpen={asking}
        onClose={() => setAsking(false)}
      >
        <p>{text('leave.confirm.text')}</p>
      </ConfirmDialog>
    </section>
  );
}
