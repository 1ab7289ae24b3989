import type { Element, Node } from '@xmldom/xmldom';
import { demand, type SamlCheck } from './saml-refusal.js';

/** Namespaces of SAML Core 1.2 and XML Signature. */
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;

/**
 * Iterates over an element and its descendants in document order, with the depth of each. Not
 * recursive, because the sender chooses the depth.
 */
export function* elementsIn(root: Element): Generator<{ element: Element; depth: number }> {
  const waiting = [{ element: root, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    const { element, depth } = next;
    for (const child of allChildren(element).toReversed()) waiting.push({ element: child, depth: depth + 1 });
  }
}

/**
 * Lists an element and its descendants in document order.
 * @throws {SamlRefusal} if they are nested deeper than `maxDepth`
 */
export function elementsWithin(root: Element, maxDepth: number): Element[] {
  const all = [...elementsIn(root)];
  const isShallow = all.every(({ depth }) => depth <= maxDepth);
  demand(isShallow, 'SAML-3', 'it is nested too deep');
  return all.map(({ element }) => element);
}

/** Iterates over an element and its ancestors, from the inside out. */
export function* elementsAround(element: Element): Generator<Element> {
  for (let at: Node | null = element; at?.nodeType === ELEMENT_NODE; at = at.parentNode) yield at as Element;
}

export function allChildren(parent: Element): Element[] {
  const children: Element[] = [];
  for (let node = parent.firstChild; node; node = node.nextSibling)
    if (node.nodeType === ELEMENT_NODE) children.push(node as Element);
  return children;
}

export function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  return allChildren(parent).filter((child) => isElement(child, namespace, name));
}

export function isElement(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** Returns the only child of this name. @throws {SamlRefusal} if there is none, or several */
export function onlyChild(parent: Element, namespace: string, name: string, check: SamlCheck): Element {
  const [child, ...others] = childrenOf(parent, namespace, name);
  demand(child !== undefined && others.length === 0, check, `there must be one ${name}`);
  return child;
}

/** @returns the value of the attribute; null if it is missing */
export function attributeOf(element: Element, name: string): string | null {
  return element.hasAttribute(name) ? element.getAttribute(name) : null;
}

/**
 * Returns the id of the request that a response answers; null for none. Providers leave the
 * attribute empty where they answer none (pysaml2), and no request has an empty id.
 */
export function inResponseTo(element: Element): string | null {
  return attributeOf(element, 'InResponseTo') || null;
}

/** Returns the untrimmed text of an element. Refuses any other content in it (SAML-13). */
export function textOf(element: Element, check: SamlCheck): string {
  const nodes = Array.from(element.childNodes);
  demand(
    nodes.every((node) => node.nodeType === TEXT_NODE),
    check,
    `${element.localName} must be text`,
  );
  return nodes.map((node) => node.nodeValue ?? '').join('');
}
