import { createPortal as createPreactPortal, flushSync } from 'preact/compat';

/** What React Aria uses of `react-dom`, by Preact. */
export { createPortal, flushSync };
export default { createPortal, flushSync };

type Portal = typeof createPreactPortal;

/** Element of React Aria's document. */
interface Item {
  readonly parentNode: { removeChild(child: Item): void } | null;
  nodeType: number;
  remove?(): void;
}

interface Container {
  readonly ownerDocument: {
    createElement(type: string): Item;
    createElementNS?(namespace: string, type: string): Item;
  };
}

/**
 * Renders into another element. React Aria keeps the items of menus in a document of its own, which
 * has neither `createElementNS` nor `remove`, and whose elements call themselves comments, which
 * Preact skips.
 */
function createPortal(...[content, container]: Parameters<Portal>): ReturnType<Portal> {
  const { ownerDocument } = container as unknown as Container;
  ownerDocument.createElementNS ??= (_, type) => {
    const item = ownerDocument.createElement(type);
    item.nodeType = Node.ELEMENT_NODE;
    item.remove = () => item.parentNode?.removeChild(item);
    return item;
  };
  return createPreactPortal(content, container);
}
