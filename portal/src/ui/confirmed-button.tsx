import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { ConfirmDialog } from './dialog.tsx';

interface Props {
  /** Text of the button, and of the one that confirms. */
  readonly action: string;
  /** Name of the button among those of other items. */
  readonly label: string;
  readonly title: string;
  readonly command: { readonly mutate: () => void; readonly isPending: boolean; readonly error: unknown };
  /** What the command does, in words. */
  readonly children: ReactNode;
}

/** A button of an item whose command is asked once more. */
export function ConfirmedButton({ action, label, title, command, children }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button small aria-label={label} onPress={() => setAsking(true)}>
        {action}
      </Button>
      <ConfirmDialog
        title={title}
        confirm={action}
        action={command}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
