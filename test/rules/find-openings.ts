/** Finds where a source opens a connection, and whether `openConnection` does. */
import { parseSync, Visitor, type ImportDeclarationSpecifier, type Node } from 'oxc-parser'

/** Names of each module that open a connection, or ask a name server. */
const openers: Readonly<Record<string, RegExp>> = {
  net: /^(connect|createConnection|Socket)$/,
  tls: /^connect$/,
  http: /^(get|request|Agent|ClientRequest|globalAgent)$/,
  https: /^(get|request|Agent|globalAgent)$/,
  http2: /^connect$/,
  dgram: /./,
  dns: /^(lookup|lookupService|resolve.*|reverse|Resolver|promises)$/,
  'dns/promises': /./,
  inspector: /./,
  undici: /^(?!(buildConnector)$)/,
  pg: /^(Client|Pool|native)$/,
  ioredis: /./,
  electron: /^(net|crashReporter|webContents|BrowserView|WebContentsView)$/,
  ws: /./,
  '@aws-sdk/credential-provider-ini': /./,
  '@aws-sdk/credential-provider-node': /./,
}
const globals = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
/** Methods of electron-updater that ask the feed. */
const methods = new Set(['checkForUpdates', 'checkForUpdatesAndNotify', 'downloadUpdate'])

export interface Opening {
  line: number
  /** `net.connect`, `fetch`. */
  what: string
  /** The id that `openConnection` gets: a literal, or the name of a variable; null outside of it. */
  id: string | null
}

/** @param source  TypeScript */
export function findOpenings(file: string, source: string): Opening[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const names = new Map<string, { module: string; name: string | null }>()
  const found: Opening[] = []
  const ids: string[] = []
  /** Parameters named like a global, such as a `fetch` that is handed over; the linter knows which is meant. */
  const own = new Set<string>()
  const noteParameters = ({ params }: { params: readonly Node[] }) => {
    for (const name of params.flatMap(namesIn)) own.add(name)
  }
  const report = ({ start }: Node, what: string) => {
    found.push({ line: source.slice(0, start).split('\n').length, what, id: ids.at(-1) ?? null })
  }
  const opens = (node: Node, module: string, name: string) => {
    if (openers[module]?.test(name)) report(node, `${module}.${name}`)
  }
  const visitCallee = (callee: Node) => {
    if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
      const { object, property } = callee
      const known = object.type === 'Identifier' ? names.get(object.name) : undefined
      if (known?.name === null) opens(callee, known.module, property.name)
      else if (known) opens(callee, known.module, known.name ?? '')
      if (methods.has(property.name)) report(callee, `updater.${property.name}`)
      if (
        object.type === 'Identifier' &&
        object.name === 'globalThis' &&
        globals.has(property.name)
      )
        report(callee, property.name)
    }
    if (callee.type !== 'Identifier') return
    const known = names.get(callee.name)
    if (known?.name) opens(callee, known.module, known.name)
    if (known === undefined && globals.has(callee.name) && !own.has(callee.name))
      report(callee, callee.name)
  }
  const nameImports = (node: Node, module: string) => {
    // `const { fromIni } = await import('…')` and `const undici = await import('…')`
    if (node.type === 'Identifier') names.set(node.name, { module, name: null })
    if (node.type !== 'ObjectPattern') return
    for (const property of node.properties) {
      if (property.type !== 'Property') continue
      const { key, value } = property
      if (key.type === 'Identifier' && value.type === 'Identifier')
        names.set(value.name, { module, name: key.name })
    }
  }
  new Visitor({
    ImportDeclaration({ source: { value }, specifiers, importKind }) {
      if (importKind === 'type') return
      for (const specifier of specifiers) {
        const { name: local } = specifier.local
        const name = importedName(specifier)
        if (name !== undefined) names.set(local, { module: moduleOf(value), name })
      }
    },
    VariableDeclarator({ id, init }) {
      const awaited = init?.type === 'AwaitExpression' ? init.argument : init
      if (awaited?.type !== 'ImportExpression' || awaited.source.type !== 'Literal') return
      nameImports(id, moduleOf(String(awaited.source.value)))
    },
    CallExpression(node) {
      visitCallee(node.callee)
      if (!isOpenConnection(node.callee)) return
      const [id] = node.arguments
      if (id?.type === 'Literal') ids.push(String(id.value))
      else ids.push(id?.type === 'Identifier' ? id.name : '?')
    },
    'CallExpression:exit'({ callee }) {
      if (isOpenConnection(callee)) ids.pop()
    },
    ArrowFunctionExpression: noteParameters,
    FunctionDeclaration: noteParameters,
    FunctionExpression: noteParameters,
    NewExpression: ({ callee }) => visitCallee(callee),
  }).visit(program)
  return found
}

/** Null for a whole module, undefined for a type. */
function importedName(specifier: ImportDeclarationSpecifier): string | null | undefined {
  if (specifier.type !== 'ImportSpecifier') return null
  const { imported, importKind } = specifier
  if (importKind === 'type') return undefined
  return imported.type === 'Identifier' ? imported.name : null
}

/** The names that a parameter declares. */
function namesIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern.name]
  if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left)
  if (pattern.type !== 'ObjectPattern') return []
  return pattern.properties.flatMap((one) => (one.type === 'Property' ? namesIn(one.value) : []))
}

function isOpenConnection(callee: Node): boolean {
  return callee.type === 'Identifier' && callee.name === 'openConnection'
}

function moduleOf(specifier: string): string {
  return specifier.replace(/^node:/, '')
}
