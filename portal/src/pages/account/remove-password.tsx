import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { inBackground } from '../../session/in-background.ts';

/** Removes the password of a person who signs in by passkeys. */
export function RemovePassword() {
  const say = useToast();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => gatehouse.delete('/api/v1/iam/me/password'),
    onSuccess: () => {
      setAsking(false);
      say(text('security.password.removed'));
      inBackground(queryClient.invalidateQueries({ queryKey: ['step-up-methods'] }));
    },
  });
  return (
    <>
      <div>
        <Button small onPress={() => setAsking(true)}>
          {text('security.password.remove')}
        </Button>
      </div>
      <ConfirmDialog
        title={text('security.password.title')}
        confirm={text('security.password.remove')}
        action={remove}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        <p>{text('security.password.text')}</p>
      </ConfirmDialog>
    </>
  );
}
