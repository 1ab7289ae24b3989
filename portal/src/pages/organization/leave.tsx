import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
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
    mutationFn: () =>
      gatehouse.post('/api/v1/iam/tenants/{id}/leave', { params: { path: { id: tenantId } } }),
    onSuccess: async () => {
      setAsking(false);
      say('You have left the organization.');
      navigate(PAGE_PATHS.organizations);
      await queryClient.invalidateQueries({ queryKey: ['tenants'] });
    },
  });
  return (
    <section className="sheet section danger" aria-labelledby="leave">
      <h2 id="leave">Leave</h2>
      <p>You lose access to the organization at once. To come back, you need an invitation.</p>
      {denial !== null && <p className="hint">{denial}</p>}
      <div>
        <Button look="danger" isDisabled={denial !== null} onPress={() => setAsking(true)}>
          Leave the organization
        </Button>
      </div>
      <ConfirmDialog
        title="Leave the organization?"
        confirm="Leave"
        action={leave}
        isOpen={asking}
        onClose={() => setAsking(false)}
      >
        <p>You lose access to it at once, on every device.</p>
      </ConfirmDialog>
    </section>
  );
}
