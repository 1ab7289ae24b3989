import type { ReactNode } from 'react';
import { text } from '../messages/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  readonly title: string;
  /** What to do with it. */
  readonly lead: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Shows a secret that cannot be read again, until the person has saved it. */
export function ShownOnce({ title, lead, onClose, children }: Props) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <p>{lead}</p>
      {children}
      <div className="buttons">
        <Button look="primary" onPress={onClose}>
          {text('keys.saved')}
        </Button>
      </div>
    </Dialog>
  );
}
