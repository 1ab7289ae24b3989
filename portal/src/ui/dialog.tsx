import type { ReactNode } from 'react';
import { Dialog as Base, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';
import { text } from '../messages/index.ts';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `alertdialog` for a command that cannot be undone. */
  readonly role?: 'dialog' | 'alertdialog';
}

/** Modal dialog. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, isOpen, onClose, children, role = 'dialog' }: Props) {
  return (
    <ModalOverlay className="veil" isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className="modal">
        <Base className="dialog" role={role}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Base>
      </Modal>
    </ModalOverlay>
  );
}

interface Question {
  readonly title: string;
  readonly children: ReactNode;
  /** The action as a verb. */
  readonly confirm: string;
  readonly action: { mutate: () => void; isPending: boolean; error: unknown };
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before a command that cannot be undone. */
export function ConfirmDialog({ title, children, confirm, action, isOpen, onClose }: Question) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} role="alertdialog">
      <div className="stack tight">{children}</div>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="buttons">
        <Button onPress={onClose}>{text('cancel')}</Button>
        <Button look="danger" isPending={action.isPending} onPress={() => action.mutate()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
