/**
 * As much of a document as React needs to show components, so that a test sees what the window says without a
 * browser: a tree of elements with their text. Nothing is laid out, and nothing can be clicked.
 */

class PlainNode {
  readonly nodeType: number
  readonly nodeName: string
  readonly ownerDocument: PlainDocument | null
  readonly namespaceURI: string
  parentNode: PlainNode | null = null
  childNodes: PlainNode[] = []
  /** Of a text node. */
  nodeValue: string | null = null

  constructor(
    nodeType: number,
    nodeName: string,
    { document, namespaceURI }: { document: PlainDocument | null; namespaceURI: string },
  ) {
    this.nodeType = nodeType
    this.nodeName = nodeName
    this.ownerDocument = document
    this.namespaceURI = namespaceURI
  }

  get firstChild(): PlainNode | null {
    return this.childNodes[0] ?? null
  }

  get lastChild(): PlainNode | null {
    return this.childNodes.at(-1) ?? null
  }

  get nextSibling(): PlainNode | null {
    const siblings = this.parentNode?.childNodes ?? []
    return siblings[siblings.indexOf(this) + 1] ?? null
  }

  get textContent(): string {
    return this.nodeValue ?? this.childNodes.map((child) => child.textContent).join('')
  }

  set textContent(text: string) {
    this.childNodes.forEach((child) => void (child.parentNode = null))
    this.childNodes = []
    if (text !== '' && this.ownerDocument) this.appendChild(this.ownerDocument.createTextNode(text))
  }

  appendChild(child: PlainNode): PlainNode {
    return this.insertBefore(child, null)
  }

  insertBefore(child: PlainNode, before: PlainNode | null): PlainNode {
    child.parentNode?.removeChild(child)
    const index = before === null ? this.childNodes.length : this.childNodes.indexOf(before)
    this.childNodes.splice(index, 0, child)
    child.parentNode = this
    return child
  }

  removeChild(child: PlainNode): PlainNode {
    this.childNodes.splice(this.childNodes.indexOf(child), 1)
    child.parentNode = null
    return child
  }

  addEventListener(): void {}
  removeEventListener(): void {}
}

export class PlainElement extends PlainNode {
  readonly tagName: string
  readonly attributes = new Map<string, string>()
  readonly style = { setProperty: () => {} }

  constructor(name: string, at: { document: PlainDocument; namespaceURI: string }) {
    super(1, name, at)
    this.tagName = name
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value)
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name)
  }

  /** Every element below this one with this name, in the order of the document. */
  elements(tagName: string): PlainElement[] {
    return this.childNodes.flatMap((child) => {
      if (!(child instanceof PlainElement)) return []
      return [...(child.tagName === tagName ? [child] : []), ...child.elements(tagName)]
    })
  }
}

const html = 'http://www.w3.org/1999/xhtml'

export class PlainDocument extends PlainNode {
  readonly hidden = false
  readonly activeElement = null
  readonly documentElement: PlainElement
  readonly body: PlainElement
  defaultView: unknown = null

  constructor() {
    super(9, '#document', { document: null, namespaceURI: html })
    this.documentElement = this.createElement('html')
    this.body = this.createElement('body')
  }

  createElement(name: string): PlainElement {
    return this.createElementNS(html, name)
  }

  createElementNS(namespaceURI: string, name: string): PlainElement {
    return new PlainElement(name, { document: this, namespaceURI })
  }

  createTextNode(text: string): PlainNode {
    const node = new PlainNode(3, '#text', { document: this, namespaceURI: html })
    node.nodeValue = text
    return node
  }
}
