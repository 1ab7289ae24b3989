import { createContext, use, useCallback, useEffect, useState, type ReactNode } from 'react';

const SHOWN_MS = 6_000;
const Say = createContext<(text: string) => void>(() => undefined);

/** Shows and announces a message about a completed command, without taking the focus. */
export const useToast = () => use(Say);

export function Toasts({ children }: { readonly children: ReactNode }) {
  const [text, setText] = useState('');
  useEffect(() => {
    if (text === '') return undefined;
    const timer = setTimeout(() => setText(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const say = useCallback((next: string) => setText(next), []);
  return (
    <Say value={say}>
      {children}
      <div className="toasts" role="status">
        {text !== '' && <p>{text}</p>}
      </div>
    </Say>
  );
}
